import type { TeamContext } from '@/lib/domain/context';
import type { Clock } from '@/lib/infra/clock';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';

const h264 = {
  type: 'video',
  codec: 'h264',
  fps: 29.97,
  width: 1280,
  height: 720,
  bitrate: 2_500_000.4,
  duration: 62.5,
  pixelFormat: 'yuv420p',
};

/** Columns that the worker writes when a file is processed. */
export const processedColumns = {
  phase: 'ready' as const,
  progress: 1,
  size: 5_000_000_000n,
  hash: [{ hash: '9e107d9d372bb6826bd81d3542a419d6', algorithm: 'md5' }],
  videoSpec: { format: 'mp4', duration: 62.5, tracks: [h264] },
};

/** Functions that create teams and complete assets in a test database, and read what was stored. */
export function createAssetFixtures(databaseUrl: string, { clock }: { clock?: Clock } = {}) {
  const fixtures = createLiveFixtures(databaseUrl, clock ? { clock } : {});
  const { db, ctx, createTeam } = fixtures;
  return {
    db,
    /** Creates a team and a context that acts for it. */
    createTeamContext: async (): Promise<TeamContext> => ({
      ...ctx,
      actor: { kind: 'key', teamId: await createTeam(), keyName: 'backend' },
    }),
    /** Makes an asset ready, as the worker does after processing. */
    markReady: (id: string) => db.asset.update({ where: { id }, data: processedColumns }),
    /** Tasks of a team, oldest first. */
    tasksOf: (teamId: string) => db.task.findMany({ where: { teamId }, orderBy: { createdAt: 'asc' } }),
    /** Actions of the audit log about an object, oldest first. */
    auditOf: async (objectId: string) =>
      (await db.auditEntry.findMany({ where: { objectId }, orderBy: { createdAt: 'asc' } })).map(
        ({ action }) => action,
      ),
  };
}
