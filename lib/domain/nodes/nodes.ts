import { acceptsSrt } from '@/lib/infra/settings/srt-settings';
import type { Context, SystemContext } from '@/lib/domain/context';
import type { NodeRole } from '@/lib/core/nodes/node-state';
import { version } from '@/lib/infra/version';

/** A process of the media worker, as it registers itself. */
export interface NodeIdentity {
  /** Id of a process. A restarted role is a new node, so that writes of the previous process are recognised. */
  readonly id: string;
  readonly role: NodeRole;
  /** URL of this process for other processes of the installation. */
  readonly url: string;
  readonly machineId: string | null;
}

/** Vitals of a node and its machine in a heartbeat; null if not measured or not applicable to the role. */
export interface NodeVitals {
  readonly streamCount: number | null;
  readonly cpuHeadroomRatio: number | null;
  readonly diskFreeBytes: number | null;
  /** Number of streams for which a live node has room. */
  readonly roomStreams?: number | null;
  /** Reason why a live node rejects new streams. */
  readonly fullReason?: string | null;
  /** Whether the process is shutting down, and ends when its streams have ended or moved. */
  readonly stopping?: boolean;
}

const noVitals: NodeVitals = { streamCount: null, cpuHeadroomRatio: null, diskFreeBytes: null };

/**
 * Registers a node, or renews its registration (heartbeat): creates or updates its row, by the clock of the database.
 * @returns whether the node must drain
 */
export async function registerNode(
  ctx: SystemContext,
  node: NodeIdentity,
  vitals: NodeVitals = noVitals,
): Promise<boolean> {
  const { streamCount, cpuHeadroomRatio, diskFreeBytes, stopping = false } = vitals;
  const { roomStreams = null, fullReason = null } = vitals;
  const { region, rtmpUrl, rtmpsUrl = null, srtUrl, slot } = ctx.settings;
  const [ingestUrl, secureIngestUrl] = node.role === 'live' ? [rtmpUrl, rtmpsUrl] : [null, null];
  const srtIngestUrl = node.role === 'live' && acceptsSrt(ctx.settings) ? (srtUrl ?? null) : null;
  const [row] = await ctx.db.$queryRaw<{ draining: boolean }[]>`
    insert into "Node" ("id", "role", "slot", "url", "machineId", "version", "region", "ingestUrl",
      "secureIngestUrl", "srtIngestUrl", "streamCount", "cpuHeadroomRatio", "diskFreeBytes", "roomStreams", "fullReason",
      "drainingSince")
    values (${node.id}::uuid, ${node.role}, ${slot}::int, ${node.url}, ${node.machineId}::uuid, ${version}, ${region ?? null},
      ${ingestUrl}, ${secureIngestUrl}, ${srtIngestUrl}, ${streamCount}::int, ${cpuHeadroomRatio}::float8, ${diskFreeBytes}::bigint,
      ${roomStreams}::int, ${fullReason},
      case when ${stopping} then now() end)
    on conflict ("id") do update set "url" = excluded."url", "seenAt" = now(),
      "streamCount" = excluded."streamCount", "cpuHeadroomRatio" = excluded."cpuHeadroomRatio",
      "diskFreeBytes" = excluded."diskFreeBytes", "roomStreams" = excluded."roomStreams",
      "fullReason" = excluded."fullReason",
      -- Draining continues until it is ended for the node; a node that stops starts to drain.
      "drainingSince" = coalesce("Node"."drainingSince", excluded."drainingSince")
    returning "drainingSince" is not null as "draining"`;
  return row?.draining ?? false;
}

/** Nodes of the media worker that sent a heartbeat within `seenWithinMs`, by the clock of the database. */
export async function findNodes(
  ctx: Context,
  seenWithinMs: number,
): Promise<{ id: string; role: string; url: string }[]> {
  return ctx.db.$queryRaw`
    select "id", "role", "url" from "Node"
    where "seenAt" > now() - ${seenWithinMs}::float8 * interval '1 millisecond'`;
}

/** URLs of a live node. */
export interface LiveNodeUrls {
  /** RTMP ingest URL for encoders; null if the node runs an older version. */
  readonly ingestUrl: string | null;
  /** RTMPS ingest URL; null if TLS is off. */
  readonly secureIngestUrl: string | null;
  /** SRT ingest URL; null if SRT is off. */
  readonly srtIngestUrl: string | null;
  /** URL of the machine for other processes of the installation. */
  readonly url: string;
}

/** URLs of all live nodes, including draining and silent nodes, which may return at any time. */
export async function findLiveNodeUrls(ctx: Pick<Context, 'db'>): Promise<LiveNodeUrls[]> {
  return ctx.db.node.findMany({
    where: { role: 'live' },
    select: { ingestUrl: true, secureIngestUrl: true, srtIngestUrl: true, url: true },
    distinct: ['ingestUrl', 'secureIngestUrl', 'srtIngestUrl', 'url'],
  });
}

/** URL of an origin on a machine that sent a heartbeat within `seenWithinMs`; null if there is none. */
export async function findOriginUrl(
  ctx: SystemContext,
  machineId: string,
  seenWithinMs: number,
): Promise<string | null> {
  const [origin] = await ctx.db.$queryRaw<{ url: string }[]>`
    select "url" from "Node"
    where "role" = 'origin' and "machineId" = ${machineId}::uuid
      and "seenAt" > now() - ${seenWithinMs}::float8 * interval '1 millisecond'
    order by "seenAt" desc limit 1`;
  return origin?.url ?? null;
}

/**
 * Deletes nodes without a heartbeat for `staleMs`.
 * @returns their number
 */
export async function expireNodes(ctx: SystemContext, staleMs: number): Promise<number> {
  return ctx.db.$executeRaw`
    delete from "Node" where "seenAt" < now() - ${staleMs}::float8 * interval '1 millisecond'`;
}

/**
 * Deletes the row of a node that shuts down or whose process is gone. A sweep releases the streams that still refer to the
 * node.
 */
export async function unregisterNode(ctx: SystemContext, nodeId: string): Promise<void> {
  await ctx.db.node.deleteMany({ where: { id: nodeId } });
}
