import { createServer } from 'node:net';
import type { Random } from '../random';

/**
 * Finds free ports below the ephemeral range, so that no outgoing connection takes a port while its process restarts.
 * @throws Error if it does not find enough ports
 */
export async function findFreePorts(count: number, random: Random): Promise<number[]> {
  const ports = new Set<number>();
  for (let attempt = 0; ports.size < count && attempt < 500; attempt += 1) {
    const port = Math.floor(random.between(12_000, 30_000));
    if (!ports.has(port) && (await isFree(port))) ports.add(port);
  }
  if (ports.size < count) throw new Error('no free ports between 12000 and 30000');
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
