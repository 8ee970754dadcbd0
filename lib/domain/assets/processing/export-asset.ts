import { policyOf } from '@/lib/domain/access';
import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext } from '@/lib/domain/context';
import type { exportAsset as exportAssetEndpoint } from '@/lib/contract/assets/asset-endpoints';
import type { BodyOf, ResponseOf } from '@/lib/contract/define-endpoint';
import { isRestricted } from '@/lib/core/access/playback-policy';
import { AppError } from '@/lib/core/errors';
import { separateExportSecrets } from '@/lib/core/assets/export-params';
import { newId } from '@/lib/infra/ids';
import { createTask, serializeTask, lockTeam } from '@/lib/domain/tasks';
import { checkRemoteUrl } from './import-asset';
import { markExportPending } from './pending-export';
import { requireReadyAsset } from '@/lib/domain/assets/internal';

type ExportBody = BodyOf<typeof exportAssetEndpoint>;

/**
 * Creates a task that exports the file. Credentials are sealed in a separate column and masked in the params.
 * @throws AppError `not_found`, `precondition_failed`, `invalid` (a URL that is not public), `rate_limited`
 */
export async function exportAsset(
  ctx: TeamContext,
  { id, body }: { readonly id: string; readonly body: ExportBody },
): Promise<ResponseOf<typeof exportAssetEndpoint>> {
  const { teamId } = ctx.actor;
  if (body.custom) checkRemoteUrl(ctx, 'custom.url', body.custom.url);
  const taskId = newId();
  const { maskedRequest, secrets } = separateExportSecrets(body);
  const secretContext = { kind: 'export-credentials', id: taskId, teamId } as const;
  return transact(ctx, async (tx) => {
    // The lock is taken before the asset is read, because another export may be changing its storage.
    await lockTeam(tx);
    const asset = await requireReadyAsset(tx, id, 'exported');
    if (body.ipfs && isRestricted(policyOf(asset))) {
      const reason =
        'anyone can read files on IPFS, but the playback policy of this asset limits who may watch';
      throw new AppError('precondition_failed', {
        field: 'ipfs',
        message: `${reason}. Set playbackPolicy to null first`,
      });
    }
    const task = await createTask(tx, {
      id: taskId,
      type: 'export',
      params: { export: maskedRequest },
      ...(secrets ? { credentialsSealed: ctx.secrets.seal(secretContext, JSON.stringify(secrets)) } : {}),
      inputAssetId: asset.id,
      isDue: true,
    });
    if (body.ipfs) await markExportPending(tx, asset, body.ipfs, taskId);
    await recordAudit(tx, { action: 'asset.exported', objectId: asset.id });
    return { task: serializeTask(task) };
  });
}
