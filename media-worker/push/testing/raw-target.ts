import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A target below RTMP: what it does with a connection is up to the test. */
export async function startRawTarget(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Accepts, and never reads. */
export const blackHole = (socket: Socket) => void socket.pause();

/** Takes the connection and breaks it `afterMs` later. */
export const resetting = (afterMs: number) => (socket: Socket) => {
  socket.resume();
  setTimeout(() => socket.resetAndDestroy(), afterMs);
};
