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

/** A file that was received by one PUT. */
export interface CompletedPutUpload {
  readonly bytes: number;
  readonly hashes: readonly { readonly hash: string; readonly algorithm: string }[];
}

/**
 * The file of an asset that was received by PUT; null for any other upload, and before its last byte. Sending the same file
 * again succeeds, because the client may have missed the response.
 */
export async function findCompletedPutUpload(
  ctx: SystemContext,
  assetId: string,
): Promise<CompletedPutUpload | null> {
  const row = await ctx.db.asset.findFirst({
    where: { ...havingFiles(assetId), deletedAt: null, uploadRepeatable: true, team: { suspended: false } },
    select: { size: true, hash: true },
  });
  if (!row || row.size === null || !Array.isArray(row.hash)) return null;
  return { bytes: Number(row.size), hashes: row.hash as unknown as CompletedPutUpload['hashes'] };
}

/** Whether an asset is in a phase before its file has arrived: `waiting` or `uploading`. */
export async function isWaitingOrUploading(ctx: SystemContext, assetId: string): Promise<boolean> {
  const where = { id: assetId, deletedAt: null, phase: { in: [...receivingAssetPhases] } };
  return (await ctx.db.asset.count({ where })) > 0;
}

/**
 * Creates an asset without a file, its import task (due when the last byte arrives), and the upload URLs.
 *
 * `profiles` are the renditions to encode after the import. `convert` lets the import convert a file that cannot be played as it
 * is.
 * @throws AppError `rate_limited` with too many unsent uploads or queued tasks; `payment_required` if the storage quota is
 * used up; `bad_request` for a playback policy with an unknown webhook, or with countries without GEOIP_DB; `invalid` for
 * a password policy without a password, or an IPFS export of an asset that is not public
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
 * Rejects a request above the limit of unsent uploads: those without any stored bytes. Each API key and the dashboard have their
 * own limit, so that a script in a loop does not block the others.
 * @throws AppError `rate_limited`
 */
async function checkUnsentUploads(tx: InTransaction<TeamContext>): Promise<void> {
  // Without the lock, concurrent requests would each count the same uploads and together exceed the limit.
  await lockTeam(tx);
  // Requests of the dashboard have no API key.
  const { teamId, keyName = null } = tx.actor;
  const unsentCount = await tx.db.asset.count({
    where: {
      teamId,
      createdByKeyName: keyName,
      deletedAt: null,
      ...unsentUploadFilter,
      // Older ones have expired. The phase last changed when the upload was requested or its last attempt ended.
      statusUpdatedAt: { gt: new Date(tx.clock.now().getTime() - UNSENT_LIFETIME_MS) },
    },
  });
  if (unsentCount < MAX_UNSENT_UPLOADS) return;
  const requester =
    keyName === null ? 'requested in the dashboard' : `requested with the API key "${keyName}"`;
  // "An hour" is UNSENT_LIFETIME_MS. lib/core/reasons/messages/assets.ts has the same text.
  const message =
    `uploads: ${unsentCount} that were ${requester} wait for their file; the limit is ${MAX_UNSENT_UPLOADS}. Send the files or delete ` +
    'the assets: they are on the Assets page and in GET /api/asset with the phase "waiting". Those without any bytes ' +
    'expire after an hour.';
  throw new AppError('rate_limited', message, { retryAfter: RETRY_AFTER_SECONDS });
}
