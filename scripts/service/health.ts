import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorSettings } from '@/lib/infra/env';

/** Where this machine reaches a server that listens on `host`. */
function localHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Resolves when the service says it is healthy, with a line now and then on what is still missing. */
export async function waitUntilHealthy(
  { host, port }: OperatorSettings,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const url = `http://${localHost(host)}:${port}/api/healthz`;
  for (let tries = 1; ; tries += 1) {
    const missing = await whatIsMissing(url);
    if (!missing) return;
    if (tries % 25 === 0) say(`Still starting: ${missing}`);
    await sleep(200, undefined, { signal });
  }
}

async function whatIsMissing(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const body = await response.text();
    return response.ok ? null : `health says ${response.status} ${body.slice(0, 300)}`;
  } catch {
    return 'the web server is not responding yet';
  }
}
