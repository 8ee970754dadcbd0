import type { SystemContext } from '@/lib/domain/context';
import { recordingMachine } from '@/lib/core/recordings/recording-state';
import { taskMachine } from '@/lib/core/tasks/task-state';

const batch = 20;
/** Too long ago for a deleted asset to be restored: its bytes are removed on the next run. */
const longAgo = new Date(0);

/**
 * Removes deleted teams step by step: first everything they own is marked for deletion; once no bytes are left and
 * no process works on them, the rows are deleted. Runs periodically, and a crash loses nothing.
 */
export async function expireDeletedTeams(ctx: SystemContext): Promise<void> {
  const teams = await ctx.db.team.findMany({
    where: { deletedAt: { not: null } },
    select: { id: true },
    orderBy: { deletedAt: 'asc' },
    take: batch,
  });
  for (const { id } of teams) {
    await purgeTeam(ctx, id);
    if (await stillHasContent(ctx, id)) continue;
    // Streams, sessions, assets, tasks, keys, webhooks and events are deleted with it; the audit log stays.
    await ctx.db.team.delete({ where: { id } });
  }
}

/** Marks everything that the team owns as deleted, in the fields that the sweeps for bytes read. */
async function purgeTeam(ctx: SystemContext, teamId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.stream.updateMany({
    where: { teamId, deletedAt: null },
    data: { deletedAt: now, testPatternUntil: null },
  });
  await ctx.db.task.updateMany({
    where: { teamId, phase: { in: taskMachine.before('cancelled') } },
    data: { phase: taskMachine.after('cancelled'), statusUpdatedAt: now },
  });
  await ctx.db.asset.updateMany({
    where: { teamId, bytesRemovedAt: null },
    data: { deletedAt: longAgo, uploadLease: null, uploadLeaseUntil: null },
  });
  // Segments of a session may still be uploading to storage until `recordingDueAt`.
  await ctx.db.session.updateMany({
    where: {
      teamId,
      state: { not: 'live' },
      recording: { in: recordingMachine.before('account_deleted') },
      recordingLease: null,
      OR: [{ recordingDueAt: null }, { recordingDueAt: { lte: now } }],
    },
    data: { recording: recordingMachine.after('deleted'), recordingDueAt: null },
  });
}

/** True while files exist or could still be written. */
async function stillHasContent(ctx: SystemContext, teamId: string): Promise<boolean> {
  const contentCounts = await Promise.all([
    ctx.db.team.count({ where: { id: teamId, brandLogo: { not: null } } }),
    ctx.db.stream.count({ where: { teamId, liveNodeId: { not: null } } }),
    ctx.db.asset.count({ where: { teamId, bytesRemovedAt: null } }),
    ctx.db.task.count({ where: { teamId, phase: { in: taskMachine.before('progressed') } } }),
    ctx.db.session.count({
      where: {
        teamId,
        OR: [{ state: 'live' }, { recording: { not: 'none' }, recordingRemovedAt: null }],
      },
    }),
  ]);
  return contentCounts.some((count) => count > 0);
}
