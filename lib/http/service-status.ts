import type { Context } from '@/lib/domain/context';
import type { ResponseOf } from '@/lib/contract/define-endpoint';
import { createOpenApi } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';
import type { Ingest, getHealth, getReadiness } from '@/lib/contract/service';
import { AppError } from '@/lib/core/errors';
import type { IngestUrls } from '@/lib/core/nodes/ingest-urls';
import { readProcessUrls } from '@/lib/infra/process-urls';
import { version } from '@/lib/infra/version';
import {
  askNode,
  readCertificateState,
  findIngests,
  findMissingColumns,
  findNodes,
} from '@/lib/domain/nodes';
import { within } from '@/lib/infra/within';
import { getServices } from './services';

/** Timeout of a request to a process. */
const PROBE_TIMEOUT_MS = 1_000;
/** Timeout of a query, and of the check of the queue. */
const DATABASE_TIMEOUT_MS = 2_000;
/** Nodes with an older heartbeat count as stopped. Nodes send one at least every 5 s. */
const MAX_HEARTBEAT_AGE_MS = 15_000;
/** Value of `Retry-After` of a failed check. */
const RETRY_AFTER_SECONDS = 2;
const roles = ['live', 'origin', 'jobs'] as const;

/**
 * State of a role. `ok`: all its processes on this machine respond. `degraded`: some do not. `away`: none does. `elsewhere`:
 * this machine does not run the role, but another one does. `none`: no known machine runs it.
 */
type RoleState = 'ok' | 'degraded' | 'elsewhere' | 'none' | 'away';

/**
 * Checks the parts that this machine needs to serve requests: on a failure, load balancers send requests elsewhere. Other
 * machines and the queue are only reported, because the API works without them.
 * @throws AppError `unavailable` that names each part that does not respond
 */
export async function checkHealth(ctx: Context): Promise<ResponseOf<typeof getHealth>> {
  const queueHealth = within(DATABASE_TIMEOUT_MS, getServices().queues.health()).catch(() => false);
  const nodes = await within(DATABASE_TIMEOUT_MS, findNodes(ctx, MAX_HEARTBEAT_AGE_MS)).catch(() => null);
  const certificateRead = within(DATABASE_TIMEOUT_MS, readCertificateState(ctx)).catch(() => undefined);
  const [queue, ...roleStates] = await Promise.all([
    queueHealth,
    ...roles.map((role) => checkRole(nodes, role)),
  ]);
  const certificate = await certificateRead;
  const [live, origin, jobs] = roleStates as [RoleState, RoleState, RoleState];
  const checkedParts: Record<string, RoleState> = { database: nodes ? 'ok' : 'away', live, origin, jobs };
  const failedParts = Object.entries(checkedParts).flatMap(([name, part]) =>
    part === 'away' ? [`${name}: is not responding`] : [],
  );
  if (failedParts.length > 0)
    throw new AppError('unavailable', failedParts, { retryAfter: RETRY_AFTER_SECONDS });
  const partStates = { live, origin, jobs } as Record<(typeof roles)[number], Exclude<RoleState, 'away'>>;
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
  const missingColumns = await within(DATABASE_TIMEOUT_MS, findMissingColumns(ctx)).catch(() => null);
  if (missingColumns?.length === 0) return { database: 'ok' };
  const problem = missingColumns
    ? `database: lacks ${missingColumns.slice(0, 3).join(', ')}: apply the migrations of this version`
    : 'database: is not responding';
  throw new AppError('unavailable', problem, { retryAfter: RETRY_AFTER_SECONDS });
}

/**
 * The state of a role on this machine, or on other machines if this one does not run it.
 * @param nodes nodes with a recent heartbeat; null if the database does not respond
 */
async function checkRole(
  nodes: readonly { readonly role: string }[] | null,
  role: (typeof roles)[number],
): Promise<RoleState> {
  const { settings } = getServices();
  if (!settings.roles.includes(role)) return nodes?.some((node) => node.role === role) ? 'elsewhere' : 'none';
  const urls = await readProcessUrls(settings, role);
  const probeResults = await Promise.all(
    urls.map(async (url) => url !== null && isResponding(url, '/healthz')),
  );
  if (!probeResults.includes(true)) return 'away';
  return probeResults.includes(false) ? 'degraded' : 'ok';
}

function isResponding(url: string, path: string): Promise<boolean> {
  return askNode(getServices(), { url, path, timeoutMs: PROBE_TIMEOUT_MS }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** URLs for encoders and players, by node; those of this machine while the database is down. */
export async function readIngests(ctx: Context): Promise<Ingest[]> {
  const { settings } = ctx;
  const ingests = await within(DATABASE_TIMEOUT_MS, findIngests(ctx)).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'ingest URLs could not be read');
    return [ownIngest(settings)];
  });
  return ingests.map((ingest) => serializeIngest(settings, ingest));
}

/** Ingest URLs for pages. If no node admits publishes, the ingest of this machine is returned. */
export async function readIngestsForPages(ctx: Context): Promise<Ingest[]> {
  const ingests = await readIngests(ctx);
  return ingests.length > 0 ? ingests : [serializeIngest(ctx.settings, ownIngest(ctx.settings))];
}

const ownIngest = ({ rtmpUrl, rtmpsUrl, srtUrl, region }: Context['settings']): IngestUrls => ({
  url: rtmpUrl,
  secureUrl: rtmpsUrl ?? null,
  srtUrl: srtUrl ?? null,
  region: region ?? null,
  headroomRatio: null,
});

function serializeIngest(
  { cdnUrl, baseUrl, uploadUrl, rtcPort }: Context['settings'],
  node: IngestUrls,
): Ingest {
  const { url, secureUrl, srtUrl, region, headroomRatio } = node;
  const headroom = headroomRatio === null ? null : Math.round(headroomRatio * 100) / 100;
  // Edges don't forward WebRTC.
  const ingestWhip = rtcPort === undefined ? null : `${uploadUrl}/webrtc`;
  const ingest = { ingest: url, ingestTls: secureUrl, ingestSrt: srtUrl, ingestWhip };
  return { ...ingest, playback: `${cdnUrl}/hls`, base: baseUrl, region, headroom };
}

let openApiDocument: Record<string, unknown> | undefined;

/** The OpenAPI document, generated once. */
export function getOpenApiDocument({
  settings,
}: Pick<Context, 'settings'>): Promise<Record<string, unknown>> {
  openApiDocument ??= { ...createOpenApi(registry, settings.baseUrl) };
  return Promise.resolve(openApiDocument);
}

/** Data of the API reference pages: the OpenAPI document, the configured rate limit, and the public URLs. */
export async function readApiDescription(): Promise<{
  readonly document: Record<string, unknown>;
  readonly requestsPerMinute: number;
  readonly urls: Pick<Context['settings'], 'baseUrl' | 'cdnUrl' | 'rtmpUrl'>;
}> {
  const { settings } = getServices();
  const { apiRateLimit: requestsPerMinute, baseUrl, cdnUrl, rtmpUrl } = settings;
  return {
    document: await getOpenApiDocument({ settings }),
    requestsPerMinute,
    urls: { baseUrl, cdnUrl, rtmpUrl },
  };
}
