import { createServer, type AddressInfo } from 'node:net';

/** Finds a free port of 127.0.0.1, for programs that cannot choose a port themselves. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
