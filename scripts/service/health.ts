import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorSettings } from '@/lib/infra/env';
import type { ProcessSupervisor } from '@/lib/infra/supervised-process';

/** Host name by which this machine reaches a server that listens on `host`. */
function localHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Resolves when the service is healthy. Reports every 5 s which parts are not ready. */
export async function waitUntilHealthy(
  { host, port, publicTls }: OperatorSettings,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const url = `${publicTls ? 'https' : 'http'}://${localHost(host)}:${port}/api/healthz`;
  for (let attempt = 1; ; attempt += 1) {
    const reason = await findUnhealthyReason(url);
    if (!reason) return;
    if (attempt % 25 === 0) log(`Still starting: ${reason}`);
    await sleep(200, undefined, { signal });
  }
}

/** Resolves when every process has finished starting. */
export async function waitUntilReady(
  processes: readonly Pick<ProcessSupervisor, 'name' | 'isReady'>[],
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const unreadyNames = processes.filter((child) => !child.isReady()).map(({ name }) => name);
    if (unreadyNames.length === 0) return;
    if (attempt % 25 === 0) log(`Still starting: ${unreadyNames.join(', ')}`);
    await sleep(200, undefined, { signal });
  }
}

async function findUnhealthyReason(url: string): Promise<string | null> {
  try {
    const { status, body } = await requestWithoutValidation(url);
    const ok = status === 200;
    // Some processes of a role have not started yet.
    if (ok && body.includes('"degraded"')) return body;
    return ok ? null : `the health check returned ${status} ${body.slice(0, 300)}`;
  } catch {
    return 'the web server is not responding yet';
  }
}

/** Requests a URL of this machine without certificate validation, because the certificate is for the public name. */
async function requestWithoutValidation(
  url: string,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const options = { signal: AbortSignal.timeout(5_000), rejectUnauthorized: false, agent: false } as const;
  const request = url.startsWith('https:') ? httpsGet(url, options) : httpGet(url, options);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}
