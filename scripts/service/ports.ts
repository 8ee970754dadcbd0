import { createSocket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { createServer, isIPv6 } from 'node:net';

/** Whether a server can listen on this port. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Whether a server can listen on this UDP port. */
export function isUdpPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(true)));
  });
}

/** Finds a free port below the ephemeral range, so that no outgoing connection takes it before it is used. */
export async function findFreePort(takenPorts: readonly number[] = []): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(20_000, 32_000);
    if (!takenPorts.includes(port) && (await isPortFree(port))) return port;
  }
  throw new Error('No free port between 20000 and 32000.');
}
