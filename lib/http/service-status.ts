import type { Context } from '@/lib/domain/context';
import type { ResponseOf } from '@/lib/contract/define-endpoint';
import { openApiOf } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';
import type { Ingest, getHealth, getReadiness } from '@/lib/contract/service';
import { AppError } from '@/lib/core/errors';
import type { IngestAddress } from '@/lib/core/nodes/ingest-addresses';
import { readAddresses } from '@/lib/infra/node-address';
import { version } from '@/lib/infra/version';
import { askNode, certificateState, findIngests, findMissingColumns, findNodes } from '@/lib/domain/nodes';
import { within } from '@/lib/infra/within';
import { services } from './services';

const timeoutMs = 1_000;
const databaseTimeoutMs = 2_000;
/** Nodes send a heartbeat at least every 5 s. */
const seenWithinMs = 15_000;
const retrySeconds = 2;
const roles = ['live', 'origin', 'jobs'] as const;

type Part = 'ok' | 'degraded' | 'elsewhere' | 'none' | 'away';

/**
 * Checks the parts that this machine needs to serve requests: on a failure, load balancers send requests elsewhere. Other
 * machines and the queue are only reported, because the API works without them.
 * @throws AppError `unavailable` that names each part that does not respond
 */
export async function checkHealth(ctx: Context): Promise<ResponseOf<typeof getHealth>> {
  const queueAnswers = within(databaseTimeoutMs, services().queues.health()).catch(() => false);
  const nodes = await within(databaseTimeoutMs, findNodes(ctx, seenWithinMs)).catch(() => null);
  const certificateKnown = within(databaseTimeoutMs, certificateState(ctx)).catch(() => undefined);
  const [queue, ...parts] = await Promise.all([queueAnswers, ...roles.map((role) => partOf(nodes, role))]);
  const certificate = await certificateKnown;
  const [live, origin, jobs] = parts as [Part, Part, Part];
  const checkedParts: Record<string, Part> = { database: nodes ? 'ok' : 'away', live, origin, jobs };
  const missing = Object.entries(checkedParts).flatMap(([name, part]) =>
    part === 'away' ? [`${name}: is not responding`] : [],
  );
  if (missing.length > 0) throw new AppError('unavailable', missing, { retryAfter: retrySeconds });
  const partStates = { live, origin, jobs } as Record<(typeof roles)[number], Exclude<Part, 'away'>>;
  return {
    version,
    database: 'ok',
    queue: queue ? 'ok' : 'unavailable',
    ...partStates,
    ...(certificate && { certificate }),
  };
}

/**
 * Checks the parts that this process needs to serve requests.
 * @throws AppError `unavailable` with the problem of the database
 */
export async function checkReadiness(ctx: Context): Promise<ResponseOf<typeof getReadiness>> {
  const missing = await within(databaseTimeoutMs, findMissingColumns(ctx)).catch(() => null);
  if (missing?.length === 0) return { database: 'ok' };
  const problem = missing
    ? `database: lacks ${missing.slice(0, 3).join(', ')}: apply the migrations of this version`
    : 'database: is not responding';
  throw new AppError('unavailable', problem, { retryAfter: retrySeconds });
}

/** @param nodes with a recent heartbeat; null if the database does not respond */
async function partOf(
  nodes: readonly { readonly role: string }[] | null,
  role: (typeof roles)[number],
): Promise<Part> {
  const { settings } = services();
  if (!settings.roles.includes(role)) return nodes?.some((node) => node.role === role) ? 'elsewhere' : 'none';
  const urls = await readAddresses(settings, role);
  const answering = await Promise.all(urls.map(async (url) => url !== null && isResponding(url, '/healthz')));
  if (!answering.includes(true)) return 'away';
  return answering.includes(false) ? 'degraded' : 'ok';
}

function isResponding(url: string, path: string): Promise<boolean> {
  return askNode(services(), { url, path, timeoutMs }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Current ingest and playback addresses; those of this machine while the database is down. */
export async function ingests(ctx: Context): Promise<Ingest[]> {
  const { settings } = ctx;
  const addresses = await within(databaseTimeoutMs, findIngests(ctx)).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'ingest addresses could not be read');
    return [ownIngest(settings)];
  });
  return addresses.map((address) => serializeIngest(settings, address));
}

/** Ingest addresses for pages, which show one even if no node admits publishes. */
export async function ingestsOfPages(ctx: Context): Promise<Ingest[]> {
  const ingestList = await ingests(ctx);
  return ingestList.length > 0 ? ingestList : [serializeIngest(ctx.settings, ownIngest(ctx.settings))];
}

const ownIngest = ({ rtmpUrl, rtmpsUrl, srtUrl, region }: Context['settings']): IngestAddress => ({
  url: rtmpUrl,
  secureUrl: rtmpsUrl ?? null,
  srtUrl: srtUrl ?? null,
  region: region ?? null,
  headroomRatio: null,
});

function serializeIngest(
  { cdnUrl, baseUrl, uploadUrl, rtcPort }: Context['settings'],
  address: IngestAddress,
): Ingest {
  const { url, secureUrl, srtUrl, region, headroomRatio } = address;
  const headroom = headroomRatio === null ? null : Math.round(headroomRatio * 100) / 100;
  // Edges don't forward WebRTC.
  const ingestWhip = rtcPort === undefined ? null : `${uploadUrl}/webrtc`;
  const ingest = { ingest: url, ingestTls: secureUrl, ingestSrt: srtUrl, ingestWhip };
  return { ...ingest, playback: `${cdnUrl}/hls`, base: baseUrl, region, headroom };
}

let document: Record<string, unknown> | undefined;

/** The OpenAPI document, generated once. */
export function openApi({ settings }: Pick<Context, 'settings'>): Promise<Record<string, unknown>> {
  document ??= { ...openApiOf(registry, settings.baseUrl) };
  return Promise.resolve(document);
}

/** Data of the API reference pages: the OpenAPI document, the rate limit that the operator set, and the addresses. */
export async function apiDescription(): Promise<{
  readonly document: Record<string, unknown>;
  readonly requestsPerMinute: number;
  readonly urls: Pick<Context['settings'], 'baseUrl' | 'cdnUrl' | 'rtmpUrl'>;
}> {
  const { settings } = services();
  const { apiRateLimit: requestsPerMinute, baseUrl, cdnUrl, rtmpUrl } = settings;
  return { document: await openApi({ settings }), requestsPerMinute, urls: { baseUrl, cdnUrl, rtmpUrl } };
}
