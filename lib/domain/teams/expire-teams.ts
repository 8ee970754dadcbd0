import type { SystemContext } from '@/lib/domain/context';
import { recordingMachine } from '@/lib/core/sessions/recording-state';
import { taskMachine } from '@/lib/core/tasks/task-state';

const BATCH_SIZE = 20;
/** A deletion time so old that the next sweep deletes the files without the restore period. */
const expiredDate = new Date(0);

/**
 * Deletes the data of deleted teams step by step: everything they own is marked for deletion first; the rows are deleted
 * when no files are left and no process uses them. Runs periodically and can be interrupted.
 */
export async function expireDeletedTeams(ctx: SystemContext): Promise<void> {
  const teams = await ctx.db.team.findMany({
    where: { deletedAt: { not: null } },
    select: { id: true },
    orderBy: { deletedAt: 'asc' },
    take: BATCH_SIZE,
  });
  for (const { id } of teams) {
    await markTeamRowsDeleted(ctx, id);
    if (await mayHaveFiles(ctx, id)) continue;
    // Cascades to streams, sessions, assets, tasks, keys, webhooks and events; the audit log is kept.
    await ctx.db.team.delete({ where: { id } });
  }
}

/** Marks all objects of the team as deleted, in the columns by which sweeps find the files to delete. */
async function markTeamRowsDeleted(ctx: SystemContext, teamId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.stream.updateMany({
    where: { teamId, deletedAt: null },
    data: { deletedAt: now, testPatternUntil: null },
  });
  await ctx.db.task.updateMany({
    where: { teamId, phase: { in: taskMachine.statesBefore('cancelled') } },
    data: { phase: taskMachine.stateAfter('cancelled'), statusUpdatedAt: now },
  });
  await ctx.db.asset.updateMany({
    where: { teamId, bytesRemovedAt: null },
    data: { deletedAt: expiredDate, uploadLease: null, uploadLeaseUntil: null },
  });
  // Segments of a session may still be uploading to storage until `recordingDueAt`.
  await ctx.db.session.updateMany({
    where: {
      teamId,
      state: { not: 'live' },
      recording: { in: recordingMachine.statesBefore('account_deleted') },
      recordingLease: null,
      OR: [{ recordingDueAt: null }, { recordingDueAt: { lte: now } }],
    },
    data: { recording: recordingMachine.stateAfter('deleted'), recordingDueAt: null },
  });
}

/** Whether files of the team exist or could still be written, or one of its streams is still live. */
async function mayHaveFiles(ctx: SystemContext, teamId: string): Promise<boolean> {
  const contentCounts = await Promise.all([
    ctx.db.team.count({ where: { id: teamId, brandLogo: { not: null } } }),
    ctx.db.stream.count({ where: { teamId, liveNodeId: { not: null } } }),
    ctx.db.asset.count({ where: { teamId, bytesRemovedAt: null } }),
    ctx.db.task.count({ where: { teamId, phase: { in: taskMachine.statesBefore('progressed') } } }),
    ctx.db.session.count({
      where: {
        teamId,
        OR: [{ state: 'live' }, { recording: { not: 'none' }, recordingRemovedAt: null }],
      },
    }),
  ]);
  return contentCounts.some((count) => count > 0);
}
