import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ConnectionSample } from './receiver-progress';
import { TargetAnswers } from './target-answers';
import { unacknowledgedBytes } from './unacknowledged-bytes';

/** A port on the loopback interface that leads one program to a connection made beforehand. */
export interface Relay {
  /** `127.0.0.1:port`, for the first connection. */
  readonly address: string;
  /** Resolves at the first connection; never, if there is none. */
  readonly whenTaken: Promise<void>;
  /** Bytes that the far side sent since ffmpeg was connected. */
  readonly receivedBytes: number;
  /** The far side closed, or broke off: why. Null while it is there, and when we ended it. */
  readonly lossReason: string | null;
  /** What the far side says. */
  readonly answers: Pick<TargetAnswers, 'redirect'>;
  /** How much of what ffmpeg sent has gone how far. */
  sample(): Promise<ConnectionSample>;
  /** Breaks both sides off. May be called twice. */
  close(): void;
}

/**
 * ffmpeg resolves names on its own, ignores the egress policy and checks no certificate, so it talks to
 * this; the connection behind it was checked, pinned and encrypted by this process.
 */
export async function openRelay(far: Socket): Promise<Relay> {
  let near: Socket | null = null;
  let lossReason: string | null = null;
  /** Ended by us or by ffmpeg: that the far side then closes is its answer, no loss. */
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
      // What it sent before is still forwarded.
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
    // Without its reader ffmpeg would write into our buffers for a while.
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
