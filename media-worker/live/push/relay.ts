import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ConnectionSample } from './receiver-progress';
import { TargetAnswers } from './target-answers';
import { unacknowledgedBytes } from './unacknowledged-bytes';

/** A loopback port that connects one program to a connection that is already open. */
export interface Relay {
  /** `127.0.0.1:port`, for one connection. */
  readonly address: string;
  /** Resolves at the first connection to the port, if one is made. */
  readonly whenTaken: Promise<void>;
  /** Bytes that the target has sent since ffmpeg connected. */
  readonly receivedBytes: number;
  /** The reason why the target closed or broke the connection; null while it is open, or if this node ended it. */
  readonly lossReason: string | null;
  readonly answers: Pick<TargetAnswers, 'redirect'>;
  /** How far the bytes of ffmpeg have travelled towards the receiver. */
  sample(): Promise<ConnectionSample>;
  /** Destroys both sides. May be called twice. */
  close(): void;
}

/**
 * ffmpeg resolves names without the egress policy and checks no certificate, so it connects to this port instead. The process
 * has checked, pinned and encrypted the connection behind it.
 */
export async function openRelay(far: Socket): Promise<Relay> {
  let near: Socket | null = null;
  let lossReason: string | null = null;
  /** This node or ffmpeg ended the connection, so a later close by the target is not a loss. */
  let closed = false;
  let receivedBytes = 0;
  const answers = new TargetAnswers();
  let onTaken = (): void => undefined;
  const whenTaken = new Promise<void>((resolve) => (onTaken = resolve));

  const server = createServer((socket) => {
    server.close();
    near = socket;
    socket.on('error', () => undefined);
    onTaken();
    if (lossReason !== null || closed) {
      socket.destroy();
      return;
    }
    socket.once('close', () => {
      closed = true;
      // Data sent before the end is still forwarded.
      far.end();
    });
    socket.pipe(far);
    far.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      answers.push(chunk);
    });
    far.pipe(socket);
  });
  const close = () => {
    closed = true;
    server.close();
    near?.destroy();
    far.destroy();
  };
  const lose = (reason: string) => {
    if (!closed) lossReason ??= reason;
    // Without a reader, ffmpeg would keep writing into the buffers.
    near?.destroy();
  };
  far.on('error', (error: NodeJS.ErrnoException) => lose(error.code ?? 'error'));
  far.once('end', () => lose('closed'));
  far.once('close', () => lose('closed'));
  far.setNoDelay(true);
  if (far.destroyed) lose('closed');

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    whenTaken,
    close,
    sample: () => sampleOf(far, answers),
    answers,
    get receivedBytes() {
      return receivedBytes;
    },
    get lossReason() {
      return lossReason;
    },
  };
}

async function sampleOf(far: Socket, { acknowledged }: TargetAnswers): Promise<ConnectionSample> {
  const { localPort, remotePort, remoteFamily, bytesWritten, writableLength: waiting } = far;
  const isConnected = localPort !== undefined && remotePort !== undefined;
  const unacknowledged = isConnected
    ? await unacknowledgedBytes({ localPort, remotePort, isIPv6: remoteFamily === 'IPv6' })
    : null;
  return { handedOver: bytesWritten - waiting, waiting, unacknowledged, acknowledged };
}
