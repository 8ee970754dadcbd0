import { takesSrt } from '@/lib/infra/srt-settings';
import type { Context, SystemContext } from '@/lib/domain/context';
import type { NodeRole } from '@/lib/core/nodes/node-state';
import { version } from '@/lib/infra/version';

export interface NodeIdentity {
  /** New for every process: a restarted role is another node, so that writes of the dead one are recognised. */
  readonly id: string;
  readonly role: NodeRole;
  /** URL of this process for other roles. */
  readonly url: string;
  readonly machineId: string | null;
}

/** Vitals of a node and its machine in a heartbeat; null if not measured or not of this role. */
export interface NodeVitals {
  readonly streamCount: number | null;
  readonly cpuHeadroomRatio: number | null;
  readonly diskFreeBytes: number | null;
  /** How many more streams a live node has room for. */
  readonly roomStreams?: number | null;
  /** Why a live node refuses new streams. */
  readonly fullReason?: string | null;
  /** The process ends when its streams have ended or moved. */
  readonly stopping?: boolean;
}

const noVitals: NodeVitals = { streamCount: null, cpuHeadroomRatio: null, diskFreeBytes: null };

/**
 * "I am here": creates the row or renews it, by the database's clock.
 * @returns whether the node shall drain
 */
export async function announceNode(
  ctx: SystemContext,
  node: NodeIdentity,
  vitals: NodeVitals = noVitals,
): Promise<boolean> {
  const { streamCount, cpuHeadroomRatio, diskFreeBytes, stopping = false } = vitals;
  const { roomStreams = null, fullReason = null } = vitals;
  const { region, rtmpUrl, rtmpsUrl = null, srtUrl, slot } = ctx.settings;
  const [ingestUrl, secureIngestUrl] = node.role === 'live' ? [rtmpUrl, rtmpsUrl] : [null, null];
  const srtIngestUrl = node.role === 'live' && takesSrt(ctx.settings) ? (srtUrl ?? null) : null;
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
      "drainingSince" = coalesce("Node"."drainingSince", excluded."drainingSince")
    returning "drainingSince" is not null as "draining"`;
  return row?.draining ?? false;
}

/** Nodes of the media worker that announced themselves within `seenWithinMs`, by the database's clock. */
export async function findNodes(
  ctx: Context,
  seenWithinMs: number,
): Promise<{ id: string; role: string; url: string }[]> {
  return ctx.db.$queryRaw`
    select "id", "role", "url" from "Node"
    where "seenAt" > now() - ${seenWithinMs}::float8 * interval '1 millisecond'`;
}

/** Ingest address of a live node. */
export interface LiveAddress {
  /** RTMP ingest URL for encoders; null if the node runs an older version. */
  readonly ingestUrl: string | null;
  /** RTMPS ingest URL; null if TLS is off. */
  readonly secureIngestUrl: string | null;
  /** SRT ingest URL; null if SRT is off. */
  readonly srtIngestUrl: string | null;
  /** URL of the machine for other roles. */
  readonly url: string;
}

/** Addresses of all live nodes, draining and silent ones too: they may be back at any time. */
export async function findLiveAddresses(ctx: Pick<Context, 'db'>): Promise<LiveAddress[]> {
  return ctx.db.node.findMany({
    where: { role: 'live' },
    select: { ingestUrl: true, secureIngestUrl: true, srtIngestUrl: true, url: true },
    distinct: ['ingestUrl', 'secureIngestUrl', 'srtIngestUrl', 'url'],
  });
}

/** Address of an origin on a machine that announced itself within `seenWithinMs`; null when there is none. */
export async function findOriginOf(
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

/** Removes nodes that have not announced themselves for `staleMs`; returns how many. */
export async function expireNodes(ctx: SystemContext, staleMs: number): Promise<number> {
  return ctx.db.$executeRaw`
    delete from "Node" where "seenAt" < now() - ${staleMs}::float8 * interval '1 millisecond'`;
}

/** "I am leaving", or "my predecessor is gone". Streams that still name the node lose their owner and are swept. */
export async function withdrawNode(ctx: SystemContext, nodeId: string): Promise<void> {
  await ctx.db.node.deleteMany({ where: { id: nodeId } });
}
