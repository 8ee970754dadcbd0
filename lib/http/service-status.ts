import type { Context } from '@/lib/context';
import type { ResponseOf } from '@/lib/contract/define-endpoint';
import { openApiOf } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';
import type { Ingest, getHealth } from '@/lib/contract/service';
import { AppError } from '@/lib/core/errors';
import { readAddress } from '@/lib/infra/node-address';
import { findNodes } from '@/lib/nodes';
import { services } from './services';

const timeoutMs = 1_000;
const databaseTimeoutMs = 2_000;
/** Nodes announce themselves at least every 5 s. */
const seenWithinMs = 15_000;
const retrySeconds = 2;
const roles = ['live', 'origin', 'jobs'] as const;

/**
 * Checks everything that publishing, playback and uploads need. @throws AppError `unavailable` naming each part that
 * does not answer
 */
export async function checkHealth(ctx: Context): Promise<ResponseOf<typeof getHealth>> {
  const queueAnswers = within(databaseTimeoutMs, services().queues.health()).catch(() => false);
  const nodes = await within(databaseTimeoutMs, findNodes(ctx, seenWithinMs)).catch(() => null);
  const [queue, live, origin, jobs] = await Promise.all([
    queueAnswers,
    ...roles.map((role) => anyAnswers(nodes, role)),
  ]);
  const answering = { database: nodes !== null, queue, live, origin, jobs };
  const missing = Object.entries(answering).flatMap(([part, works]) =>
    works ? [] : [`${part}: is not responding`],
  );
  if (missing.length > 0) throw new AppError('unavailable', missing, { retryAfter: retrySeconds });
  return { database: 'ok', queue: 'ok', live: 'ok', origin: 'ok', jobs: 'ok' };
}

/** @param nodes null when the database does not say; then the process on this machine is asked */
async function anyAnswers(
  nodes: readonly { readonly role: string; readonly url: string }[] | null,
  role: (typeof roles)[number],
): Promise<boolean> {
  const urls = nodes
    ? nodes.filter((node) => node.role === role).map(({ url }) => url)
    : [await readAddress(services().settings.dataDir, role)].filter((url) => url !== null);
  return (await Promise.all(urls.map((url) => answers(`${url}/healthz`)))).includes(true);
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too late')), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The base URLs to publish to and play from. */
export function ingests({ settings }: Pick<Context, 'settings'>): Promise<Ingest[]> {
  return Promise.resolve([
    { ingest: settings.rtmpUrl, playback: `${settings.cdnUrl}/hls`, base: settings.baseUrl },
  ]);
}

let document: Record<string, unknown> | undefined;

/** The description of the whole API; made once. */
export function openApi({ settings }: Context): Promise<Record<string, unknown>> {
  document ??= { ...openApiOf(registry, settings.baseUrl) };
  return Promise.resolve(document);
}
