import { policyOf } from '@/lib/domain/access';
import type { SystemContext, InTransaction, TeamContext } from '@/lib/domain/context';
import type { AssetStorage } from '@/lib/contract/assets/asset';
import type { StorageInput } from '@/lib/contract/assets/studio-options';
import { isRestricted } from '@/lib/core/access/playback-policy';
import { AppError } from '@/lib/core/errors';
import type { Asset } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import { createTask, lockTeam } from '@/lib/domain/tasks';
import { markExportPending } from './pending-export';

const policyWarning =
  'anyone can read files on IPFS, but the playback policy of this asset limits who may watch';

/**
 * Initial storage status of an asset with a requested IPFS export; undefined if none was requested.
 * @throws AppError `invalid` if the asset is not public
 */
export function initialStorage(
  storage: StorageInput | undefined,
  policy: Parameters<typeof isRestricted>[0] | null | undefined,
): AssetStorage | undefined {
  const ipfs = storage?.ipfs;
  if (!ipfs) return undefined;
  if (policy && isRestricted(policy))
    throw new AppError('invalid', { field: 'storage.ipfs', message: policyWarning });
  const spec = ipfs === true ? null : ipfs.spec;
  return { ipfs: { spec: spec ?? {} }, status: { phase: 'waiting', tasks: {} } };
}

/** Whether the export was requested with the asset and has no task yet. */
const waitsForAsset = (storage: AssetStorage | null): storage is AssetStorage =>
  storage?.status.phase === 'waiting' && storage.status.tasks.pending === undefined;

/**
 * Takes the locks of an export before the asset is changed, in the order of lib/domain/assets/processing/export-asset.ts.
 */
export async function lockForRequestedExport(
  tx: InTransaction<SystemContext>,
  assetId: string,
): Promise<void> {
  const row = await tx.db.asset.findUnique({
    where: { id: assetId },
    select: { storage: true, teamId: true },
  });
  if (row && waitsForAsset(row.storage as AssetStorage | null)) await lockTeam(withTeamActor(tx, row.teamId));
}

/** Creates the task of the export that was requested with the asset, once the asset is ready. */
export async function startRequestedExport(tx: InTransaction<SystemContext>, asset: Asset): Promise<void> {
  const storage = asset.storage as AssetStorage | null;
  if (!waitsForAsset(storage)) return;
  const team = withTeamActor(tx, asset.teamId);
  const spec = storage.ipfs?.spec ?? {};
  const id = newId();
  try {
    if (isRestricted(policyOf(asset))) throw new AppError('precondition_failed', policyWarning);
    const params = { export: { ipfs: spec } };
    await createTask(team, { id, type: 'export', params, inputAssetId: asset.id, isDue: true });
    await markExportPending(team, asset, spec, id);
  } catch (error) {
    // The asset is ready even if its export cannot start, for example because the team has too many tasks.
    if (!(error instanceof AppError)) throw error;
    const failedStorage: AssetStorage = {
      ...storage,
      status: { phase: 'failed', errorMessage: error.message, tasks: {} },
    };
    await tx.db.asset.update({ where: { id: asset.id }, data: { storage: failedStorage } });
  }
}

/** The context with the actor `cli`, because functions of a team require one. */
const withTeamActor = (tx: InTransaction<SystemContext>, teamId: string): InTransaction<TeamContext> => ({
  ...tx,
  actor: { kind: 'cli', teamId },
});
