import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ConnectionSample } from './receiver-progress';
import { TargetAnswers } from './target-answers';
import { readUnacknowledgedBytes } from './unacknowledged-bytes';

/** A loopback port through which ffmpeg uses a connection that this process has opened. */
export interface Relay {
  /** `127.0.0.1:port`, for one connection. */
  readonly address: string;
  /** Resolves when ffmpeg connects to the port. */
  readonly whenConnected: Promise<void>;
  /** Bytes that the target has sent since ffmpeg connected. */
  readonly receivedBytes: number;
  /**
   * The reason why the target closed or broke the connection; null while it is open, or if this node or ffmpeg ended
   * it.
   */
  readonly lossReason: string | null;
  readonly answers: Pick<TargetAnswers, 'redirect'>;
  /** Measures how many bytes of ffmpeg the receiver has taken. */
  sample(): Promise<ConnectionSample>;
  /** Destroys both sides. May be called twice. */
  close(): void;
}

/**
 * Opens a relay for an open connection. ffmpeg would resolve names without the egress policy and check no
 * certificate, so it connects to the relay, and this process checks and encrypts the connection to the target.
 */
export async function openRelay(targetSocket: Socket): Promise<Relay> {
  let ffmpegSocket: Socket | null = null;
  let lossReason: string | null = null;
  /** Whether this node or ffmpeg ended the connection, so that a later close by the target is not a loss. */
  let isClosed = false;
  let receivedBytes = 0;
  const answers = new TargetAnswers();
  let onConnected = (): void => undefined;
  const whenConnected = new Promise<void>((resolve) => (onConnected = resolve));

  const server = createServer((socket) => {
    server.close();
    ffmpegSocket = socket;
    socket.on('error', () => undefined);
    onConnected();
    if (lossReason !== null || isClosed) return void socket.destroy();
    socket.once('close', () => {
      isClosed = true;
      // Data that ffmpeg sent before it closed is still forwarded.
      targetSocket.end();
    });
    socket.pipe(targetSocket);
    targetSocket.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      answers.push(chunk);
    });
    targetSocket.pipe(socket);
  });
  const close = () => {
    isClosed = true;
    server.close();
    ffmpegSocket?.destroy();
    targetSocket.destroy();
  };
  const lose = (reason: string) => {
    if (!isClosed) lossReason ??= reason;
    // Without a reader, ffmpeg would keep writing into the buffers.
    ffmpegSocket?.destroy();
  };
  targetSocket.on('error', (error: NodeJS.ErrnoException) => lose(error.code ?? 'error'));
  targetSocket.once('end', () => lose('closed'));
  targetSocket.once('close', () => lose('closed'));
  targetSocket.setNoDelay(true);
  if (targetSocket.destroyed) lose('closed');

  server.once('error', close);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    whenConnected,
    close,
    answers,
    sample: () => readConnectionSample(targetSocket, answers),
    get receivedBytes() {
      return receivedBytes;
    },
    get lossReason() {
      return lossReason;
    },
  };
}

async function readConnectionSample(
  targetSocket: Socket,
  { acknowledged }: TargetAnswers,
): Promise<ConnectionSample> {
  const { localPort, remotePort, remoteFamily, bytesWritten, writableLength: waiting } = targetSocket;
  const isConnected = localPort !== undefined && remotePort !== undefined;
  const unacknowledgedBytes = isConnected
    ? await readUnacknowledgedBytes({ localPort, remotePort, isIPv6: remoteFamily === 'IPv6' })
    : null;
  return {
    handedOverBytes: bytesWritten - waiting,
    waitingBytes: waiting,
    unacknowledgedBytes,
    acknowledgedBytes: acknowledged,
  };
}
