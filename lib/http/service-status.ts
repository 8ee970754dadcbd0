import type { Context } from '@/lib/context';
import type { ResponseOf } from '@/lib/contract/define-endpoint';
import { openApiOf } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';
import type { Ingest, getHealth } from '@/lib/contract/service';
import { AppError } from '@/lib/core/errors';
import { readAddress } from '@/lib/infra/node-address';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import { findNodes } from '@/lib/nodes';
import { services } from './services';

const timeoutMs = 1_000;
const databaseTimeoutMs = 2_000;
/** Nodes announce themselves at least every 5 s. */
const seenWithinMs = 15_000;
const retrySeconds = 2;
const roles = ['live', 'origin', 'jobs'] as const;

type Part = 'ok' | 'elsewhere' | 'none' | 'away';

/**
 * Checks what this machine needs to serve: a balancer sends requests elsewhere when it fails. Other machines and the
 * queue are reported only, because without them this one still serves the API.
 * @throws AppError `unavailable` naming each part that does not answer
 */
export async function checkHealth(ctx: Context): Promise<ResponseOf<typeof getHealth>> {
  const queueAnswers = within(databaseTimeoutMs, services().queues.health()).catch(() => false);
  const nodes = await within(databaseTimeoutMs, findNodes(ctx, seenWithinMs)).catch(() => null);
  const [queue, ...parts] = await Promise.all([queueAnswers, ...roles.map((role) => partOf(nodes, role))]);
  const [live, origin, jobs] = parts as [Part, Part, Part];
  const checked: Record<string, Part> = { database: nodes ? 'ok' : 'away', live, origin, jobs };
  const missing = Object.entries(checked).flatMap(([name, part]) =>
    part === 'away' ? [`${name}: is not responding`] : [],
  );
  if (missing.length > 0) throw new AppError('unavailable', missing, { retryAfter: retrySeconds });
  const found = { live, origin, jobs } as Record<(typeof roles)[number], Exclude<Part, 'away'>>;
  return { database: 'ok', queue: queue ? 'ok' : 'unavailable', ...found };
}

/** @param nodes that announced themselves lately; null when the database does not say */
async function partOf(
  nodes: readonly { readonly role: string }[] | null,
  role: (typeof roles)[number],
): Promise<Part> {
  const { settings } = services();
  if (!settings.roles.includes(role)) return nodes?.some((node) => node.role === role) ? 'elsewhere' : 'none';
  const url = await readAddress(settings.dataDir, role);
  return url !== null && (await answers(url, '/healthz')) ? 'ok' : 'away';
}

async function answers(url: string, path: string): Promise<boolean> {
  const { secrets, clock } = services();
  const signature = createNodeSignatures(secrets, clock).sign({ method: 'GET', path });
  try {
    const headers = { [nodeSignatureHeader]: signature };
    const response = await fetch(url + path, { headers, signal: AbortSignal.timeout(timeoutMs) });
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
export function openApi({ settings }: Pick<Context, 'settings'>): Promise<Record<string, unknown>> {
  document ??= { ...openApiOf(registry, settings.baseUrl) };
  return Promise.resolve(document);
}

/** What the pages of the API reference show: the same document, and the limit that the operator set. */
export async function apiDescription(): Promise<{
  readonly document: Record<string, unknown>;
  readonly requestsPerMinute: number;
}> {
  const { settings } = services();
  return { document: await openApi({ settings }), requestsPerMinute: settings.apiRateLimit };
}
