import type { Context } from '@/lib/domain/context';
import type { Node } from '@/lib/contract/nodes/node';
import { nodeStateOf, type NodeRole } from '@/lib/core/nodes/node-state';
import { reasonField } from '@/lib/core/reasons/reason';

interface NodeRow {
  readonly id: string;
  readonly role: NodeRole;
  readonly slot: number;
  readonly url: string;
  readonly machineId: string | null;
  readonly region: string | null;
  readonly ingestUrl: string | null;
  readonly version: string | null;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly silentMs: number;
  readonly drainingSince: Date | null;
  readonly streamCount: number | null;
  readonly cpuHeadroomRatio: number | null;
  readonly diskFreeBytes: bigint | null;
  /** Number of streams for which the node has room. */
  readonly roomStreams: number | null;
  readonly fullReason: string | null;
}

/** All nodes of the media worker with a row, grouped by region and machine. A sweep deletes the rows of silent nodes. */
export async function listNodes(ctx: Context): Promise<Node[]> {
  const rows = await ctx.db.$queryRaw<NodeRow[]>`
    select "id", "role", "slot", "url", "machineId", "region", "ingestUrl", "version", "startedAt", "seenAt",
      (extract(epoch from now() - "seenAt") * 1000)::float8 as "silentMs",
      "drainingSince", "streamCount", "cpuHeadroomRatio", "diskFreeBytes", "roomStreams", "fullReason"
    from "Node"
    order by "region" nulls first, "machineId" nulls last,
      array_position(array['live', 'origin', 'jobs'], "role"), "slot", "startedAt", "id"`;
  return rows.map(serialize);
}

function serialize({ drainingSince, diskFreeBytes, silentMs, startedAt, seenAt, ...row }: NodeRow): Node {
  const { id, role, slot, url, machineId, region, ingestUrl, version, streamCount, cpuHeadroomRatio } = row;
  const { roomStreams, fullReason } = row;
  return {
    id,
    role,
    slot,
    state: nodeStateOf({ role, silentMs, draining: drainingSince !== null }),
    url,
    machineId,
    region,
    ingestUrl,
    version,
    startedAt: startedAt.getTime(),
    lastSeen: seenAt.getTime(),
    drainingSince: drainingSince?.getTime() ?? null,
    streamCount,
    cpuHeadroomRatio,
    roomStreams,
    fullReason,
    ...reasonField('fullCause', fullReason),
    diskFreeBytes: diskFreeBytes === null ? null : Number(diskFreeBytes),
  };
}
