import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { requestUpload } from '@/lib/domain/assets';
import type { TeamContext, WorkerContext } from '@/lib/domain/context';
import type { Profile } from '@/lib/contract/streams/profile';
import type { Settings } from '@/lib/infra/env';
import { openStorage } from '@/lib/infra/storage';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';

/** Fixtures of tests with files: an empty database and an empty DATA_DIR, both removed afterwards. */
export function createWorkerFixtures(databaseUrl: string, settingsChange: Partial<Settings> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-data-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
  const fixtures = createLiveFixtures(databaseUrl, { settings: { dataDir, ...settingsChange } });
  const storage = openStorage(fixtures.ctx.settings);
  const ctx: WorkerContext = { ...fixtures.ctx, storage };
  return {
    ...fixtures,
    ctx,
    storage,
    dataDir,
    /** Creates a team, and a context that acts for it with an API key. */
    createTeamContext: async (): Promise<TeamContext> => ({
      ...fixtures.ctx,
      actor: { kind: 'key', teamId: await fixtures.createTeam(), keyName: 'backend' },
    }),
    /** Creates an asset that waits for its upload. */
    createUpload: async (teamContext: TeamContext, name = 'Town hall', profiles?: Profile[]) => {
      const input = { name, ...(profiles ? { profiles } : {}) };
      const { url, tusEndpoint, asset, task } = await requestUpload(teamContext, input);
      return { url, tusEndpoint, assetId: asset.id, playbackId: asset.playbackId, taskId: task.id };
    },
    assetRow: (id: string) => fixtures.db.asset.findUniqueOrThrow({ where: { id } }),
    taskRow: (id: string) => fixtures.db.task.findUniqueOrThrow({ where: { id } }),
  };
}
