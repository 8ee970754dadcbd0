import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { encodeAmf0 } from '@/media-worker/ingest/rtmp/testing/amf0';
import { toChunks } from '@/media-worker/ingest/rtmp/testing/chunks';

/** A raw TCP target that lets the test handle each connection. */
export async function startRawTarget(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  let connectionCount = 0;
  const server = createServer((socket) => {
    connectionCount += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connectionCount() {
      return connectionCount;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Accepts the connection and never reads. */
export const neverRead = (socket: Socket) => void socket.pause();

/** Accepts the connection and resets it `afterMs` later. */
export const resetAfter = (afterMs: number) => (socket: Socket) => {
  socket.resume();
  setTimeout(() => socket.resetAndDestroy(), afterMs);
};

/** Answers a connect like an RTMP server that redirects. */
export const redirectTo = (redirect: string) => (socket: Socket) => {
  // Lengths of the first messages of the client (C0 and C1), and of the handshake in one direction.
  const [c0c1, handshake] = [1 + 1_536, 1 + 2 * 1_536];
  let receivedCount = 0;
  socket.on('data', (bytes: Buffer) => {
    const countBefore = receivedCount;
    receivedCount += bytes.length;
    if (countBefore < c0c1 && receivedCount >= c0c1)
      socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(handshake - 1)]));
    if (countBefore <= handshake && receivedCount > handshake) {
      const info = { level: 'error', code: 'NetConnection.Connect.Rejected', ex: { code: 302, redirect } };
      socket.end(toChunks({ type: 20, payload: encodeAmf0('_error', 1, null, info) }));
    }
  });
};
