import { buildPolicyColumns } from '@/lib/domain/access';
import { havingFiles } from '@/lib/domain/assets/internal';
import { serializeAsset } from '@/lib/domain/assets/serialize';
import { conversionParam } from '@/lib/domain/assets/processing/requested-conversion';
import { createAsset } from '@/lib/domain/assets/processing/create-asset';
import { initialStorage } from '@/lib/domain/assets/processing/requested-export';
import { type TeamContext, type SystemContext, transact, type InTransaction } from '@/lib/domain/context';
import type { requestUpload as requestUploadEndpoint } from '@/lib/contract/assets/asset-endpoints';
import type { BodyOf, ResponseOf } from '@/lib/contract/define-endpoint';
import { MAX_UNSENT_UPLOADS, UNSENT_LIFETIME_MS, uploadedObjectKey } from '@/lib/core/access/upload-token';
import { ignoredOptionWarnings } from '@/lib/core/assets/ignored-options';
import { receivingAssetPhases } from '@/lib/core/assets/asset-state';
import { AppError } from '@/lib/core/errors';
import { createTask, lockTeam, serializeTask } from '@/lib/domain/tasks';
import { unsentUploadFilter } from './unsent-uploads';
import { uploadUrls } from './upload-token';

export interface RepeatableUpload {
  readonly bytes: number;
  readonly hashes: readonly { readonly hash: string; readonly algorithm: string }[];
}

/**
 * The file that was received by PUT; null for any other upload. Sending the same file again succeeds, because the client
 * may have missed the response.
 */
export async function findRepeatableUpload(
  ctx: SystemContext,
  assetId: string,
): Promise<RepeatableUpload | null> {
  const row = await ctx.db.asset.findFirst({
    where: { ...havingFiles(assetId), deletedAt: null, uploadRepeatable: true, team: { suspended: false } },
    select: { size: true, hash: true },
  });
  if (!row || row.size === null || !Array.isArray(row.hash)) return null;
  return { bytes: Number(row.size), hashes: row.hash as unknown as RepeatableUpload['hashes'] };
}

/** Whether an asset still waits for its uploaded file. */
export async function isUploadOpen(ctx: SystemContext, assetId: string): Promise<boolean> {
  const where = { id: assetId, deletedAt: null, phase: { in: [...receivingAssetPhases] } };
  return (await ctx.db.asset.count({ where })) > 0;
}

/**
 * Creates an asset that waits for its file, its import task, and the upload URLs. The task becomes due when the last byte
 * arrives.
 * @throws AppError `rate_limited`, `payment_required`, `bad_request` and `invalid` (playback policy, storage)
 */
export async function requestUpload(
  ctx: TeamContext,
  body: BodyOf<typeof requestUploadEndpoint>,
): Promise<ResponseOf<typeof requestUploadEndpoint>> {
  const { name, creatorId, tags, playbackPolicy, profiles } = body;
  const storage = initialStorage(body.storage, playbackPolicy);
  const policy = await buildPolicyColumns(ctx, playbackPolicy);
  const { asset, task } = await transact(ctx, async (tx) => {
    await checkUnsentUploads(tx);
    const asset = await createAsset(tx, {
      name,
      creatorId,
      tags,
      policy,
      profiles,
      storage,
      sourceType: 'directUpload',
    });
    const task = await createTask(tx, {
      type: 'import',
      params: {
        import: { uploadedObjectKey: uploadedObjectKey(asset.playbackId), ...conversionParam(body.convert) },
      },
      outputAssetId: asset.id,
      isDue: false,
    });
    return { asset, task };
  });
  return {
    ...uploadUrls(ctx, asset),
    asset: serializeAsset(asset, ctx.settings),
    task: serializeTask(task),
    ...ignoredOptionWarnings(body),
  };
}

const RETRY_AFTER_SECONDS = 60;

/**
 * Checks the number of uploads without data. Each API key and the dashboard have their own limit, so that a script in a
 * loop does not block the others.
 */
async function checkUnsentUploads(tx: InTransaction<TeamContext>): Promise<void> {
  await lockTeam(tx);
  const { teamId, keyName = null } = tx.actor;
  const unsentCount = await tx.db.asset.count({
    where: {
      teamId,
      createdByKeyName: keyName,
      deletedAt: null,
      ...unsentUploadFilter,
      statusUpdatedAt: { gt: new Date(tx.clock.now().getTime() - UNSENT_LIFETIME_MS) },
    },
  });
  if (unsentCount < MAX_UNSENT_UPLOADS) return;
  const requester =
    keyName === null ? 'requested in the dashboard' : `requested with the API key "${keyName}"`;
  const message =
    `uploads: ${unsentCount} that were ${requester} wait for their file; the limit is ${MAX_UNSENT_UPLOADS}. Send the files or delete ` +
    'the assets: they are on the Assets page and in GET /api/asset with the phase "waiting". Those without any bytes ' +
    'expire after an hour.';
  throw new AppError('rate_limited', message, { retryAfter: RETRY_AFTER_SECONDS });
}
