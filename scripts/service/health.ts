import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorSettings } from '@/lib/infra/env';
import type { Supervised } from '@/lib/infra/supervised-process';

/** Host name under which this machine reaches a server that listens on `host`. */
function localHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Resolves when the service is healthy. Reports every 5 s what is not ready yet. */
export async function waitUntilHealthy(
  { host, port }: OperatorSettings,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const url = `http://${localHost(host)}:${port}/api/healthz`;
  for (let tries = 1; ; tries += 1) {
    const reason = await notHealthyReason(url);
    if (!reason) return;
    if (tries % 25 === 0) say(`Still starting: ${reason}`);
    await sleep(200, undefined, { signal });
  }
}

/** Resolves when every process has finished starting. */
export async function waitUntilReady(
  processes: readonly Pick<Supervised, 'name' | 'isReady'>[],
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const missing = processes.filter((one) => !one.isReady()).map(({ name }) => name);
    if (missing.length === 0) return;
    if (tries % 25 === 0) say(`Still starting: ${missing.join(', ')}`);
    await sleep(200, undefined, { signal });
  }
}

async function notHealthyReason(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const body = await response.text();
    // Some processes of a role are not there yet.
    if (response.ok && body.includes('"degraded"')) return body;
    return response.ok ? null : `the health check returned ${response.status} ${body.slice(0, 300)}`;
  } catch {
    return 'the web server is not responding yet';
  }
}
