import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Finds different free ports on the loopback interface. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const server = createServer();
          server.once('error', reject);
          server.listen(0, '127.0.0.1', () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Options of `waitFor`, in milliseconds. */
interface WaitOptions {
  readonly timeoutMs: number;
  readonly everyMs?: number;
}

/**
 * Repeats `check` until it returns a value other than undefined.
 * @throws Error that names `subject` after the timeout, and any error of `check`
 */
export async function waitFor<T>(
  subject: string,
  check: () => Promise<T | undefined> | T | undefined,
  { timeoutMs, everyMs = 100 }: WaitOptions,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`${subject}: timed out after ${timeoutMs / 1000} s`);
    await sleep(everyMs);
  }
}

/**
 * Sends a GET request with a timeout of 5 s.
 * @returns the body, or undefined after an error or a status other than 200
 */
export async function fetchBody(url: string): Promise<Buffer | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const body = Buffer.from(await response.arrayBuffer());
    return response.status === 200 ? body : undefined;
  } catch {
    return undefined;
  }
}
