import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Can this port be listened on? */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A free port below the range of outgoing connections, so it stays free until it is used. */
export async function freePort(taken: readonly number[] = []): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(20_000, 32_000);
    if (!taken.includes(port) && (await isFree(port))) return port;
  }
  throw new Error('No free port between 20000 and 32000.');
}
