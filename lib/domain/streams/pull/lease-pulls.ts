import { deadAfterMs } from '@/lib/core/nodes/node-state';
import type { PullReport } from '@/lib/core/streams/pull/pull-state';
import { pullGivenUpMessage } from '@/lib/core/streams/pull/pull-finding';
import { omitUndefined } from '@/lib/core/omit-undefined';
import type { SystemContext } from '@/lib/domain/context';
import { notify } from '@/lib/infra/notifications';
import { transact } from '@/lib/domain/context';
import type { Stream } from '@/lib/generated/prisma/client';
import { openPull } from './pull-columns';

/** A pull that this node has to do. */
export interface LeasedPull {
  readonly streamId: string;
  /** Version of the pull, which changes whenever the pull is set or started again. */
  readonly version: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Secret stream key with which the pulling node publishes. */
  readonly streamKey: string;
  /** Secret URL of the source. */
  readonly source: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Time when media last arrived, in Unix milliseconds. */
  readonly mediaAt?: number;
}

/**
 * Leases pulls that no live node holds, oldest first, and returns all pulls that this node holds. One statement takes the
 * leases, so that each pull has one node.
 * @param room maximum number of pulls to lease; 0 to lease none
 */
export async function leasePulls(
  ctx: SystemContext,
  { nodeId, room }: { readonly nodeId: string; readonly room: number },
): Promise<LeasedPull[]> {
  if (room > 0)
    await ctx.db.$executeRaw`
      update "Stream" set "pullNodeId" = ${nodeId}::uuid
      where "id" in (
        select s."id" from "Stream" s join "Team" t on t."id" = s."teamId"
        where s."pullStartedAt" is not null and s."pullSealed" is not null and s."streamKeySealed" is not null
          and s."deletedAt" is null and not s."suspended" and not t."suspended"
          and s."pullNodeId" is distinct from ${nodeId}::uuid
          and not exists (
            select 1 from "Node" n where n."id" = s."pullNodeId" and n."seenAt" >
              now() - ${deadAfterMs.live}::float8 * interval '1 millisecond')
        order by s."pullStartedAt" limit ${room}::int
        for update of s skip locked)`;
  const rows = await ctx.db.stream.findMany({
    where: {
      pullNodeId: nodeId,
      pullStartedAt: { not: null },
      pullSealed: { not: null },
      deletedAt: null,
      suspended: false,
      team: { suspended: false },
    },
    select: {
      id: true,
      teamId: true,
      streamKeySealed: true,
      pullSealed: true,
      pullStartedAt: true,
      pullReport: true,
    },
  });
  return rows.flatMap((row) => openLease(ctx, row) ?? []);
}

type LeasedRow = Pick<
  Stream,
  'id' | 'teamId' | 'streamKeySealed' | 'pullSealed' | 'pullStartedAt' | 'pullReport'
>;

/** Decrypts the key and source of a leased pull; null if the pull was ended since. */
function openLease({ secrets }: SystemContext, row: LeasedRow): LeasedPull | null {
  const { id, teamId, streamKeySealed, pullSealed, pullStartedAt } = row;
  const pull = openPull(row, secrets);
  if (!pull || !pullSealed || !streamKeySealed || !pullStartedAt) return null;
  const { source, headers = {} } = pull;
  const startedAt = pullStartedAt.getTime();
  const { mediaAt } = (row.pullReport as unknown as PullReport | null) ?? {};
  return {
    streamId: id,
    // Each sealed value has a random nonce, so it changes with every write.
    version: `${startedAt} ${Buffer.from(pullSealed).toString('base64')}`,
    startedAt,
    streamKey: secrets.open({ kind: 'stream-key', id, teamId }, streamKeySealed),
    source,
    headers,
    ...omitUndefined({ mediaAt }),
  };
}

interface PullLease {
  readonly streamId: string;
  readonly nodeId: string;
}

/** Stores this node's report of a pull, unless another node holds the pull or it was ended. */
export async function reportPull(
  ctx: SystemContext,
  { streamId, nodeId, report }: PullLease & { readonly report: PullReport },
): Promise<void> {
  await ctx.db.stream.updateMany({
    where: { id: streamId, pullNodeId: nodeId, pullStartedAt: { not: null } },
    data: { pullReport: { ...report } },
  });
}

/**
 * Releases the leases of this node, so that other nodes take the pulls.
 * @param streamIds streams of the pulls; undefined for all
 */
export async function releasePulls(
  ctx: SystemContext,
  { nodeId, streamIds }: { readonly nodeId: string; readonly streamIds?: readonly string[] },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const rows = await tx.db.stream.updateManyAndReturn({
      where: { pullNodeId: nodeId, ...(streamIds ? { id: { in: [...streamIds] } } : {}) },
      data: { pullNodeId: null },
      select: { id: true, pullStartedAt: true },
    });
    for (const { id, pullStartedAt } of rows)
      if (pullStartedAt !== null) await notify(tx.db, 'stream_changed', id);
  });
}

/** Ends a pull whose source sent no media for too long, unless it was started again since. */
export async function endExpiredPull(
  ctx: SystemContext,
  { streamId, nodeId, startedAt }: PullLease & { readonly startedAt: number },
): Promise<void> {
  await ctx.db.stream.updateMany({
    where: { id: streamId, pullNodeId: nodeId, pullStartedAt: new Date(startedAt) },
    data: {
      pullStartedAt: null,
      pullNodeId: null,
      pullReport: { state: 'waiting', since: ctx.clock.now().getTime(), error: pullGivenUpMessage },
    },
  });
}
