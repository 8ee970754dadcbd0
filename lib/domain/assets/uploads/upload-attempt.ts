import { transact, type SystemContext, type InTransaction } from '@/lib/domain/context';
import { assetMachine, receivingAssetPhases } from '@/lib/core/assets/asset-state';
import type { FileSpec } from '@/lib/core/media/video-spec';
import { AppError, notFound } from '@/lib/core/errors';
import type { Asset } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import { reserveStorage } from '@/lib/domain/quotas';
import { failTasksOfAsset, queueImportOfAsset } from '@/lib/domain/tasks';
import { emitAssetEvent } from '@/lib/domain/assets/serialize';
import { omitUndefined } from '@/lib/core/omit-undefined';

/**
 * One attempt of a client to send the file of an upload: one PUT, or all tus requests of one tus upload. An upload accepts one
 * attempt at a time: the one that has its lease.
 */
export interface UploadAttempt {
  readonly assetId: string;
  /** Id of the attempt, which `Asset.uploadLease` contains while the attempt has the lease. */
  readonly leaseId: string;
}

/** Time for which an attempt keeps the lease while no bytes arrive, in milliseconds. */
const LEASE_MS = 60_000;

/**
 * Gives this attempt the lease of the upload, unless another attempt renewed it in the last minute. The phase of the asset
 * becomes `uploading`.
 * @throws AppError `not_found`; `conflict` while another attempt has the lease; `invalid` if the file was already received,
 * or if the upload failed
 */
export async function startUpload(
  ctx: SystemContext,
  { assetId, leaseId }: UploadAttempt,
): Promise<{ playbackId: string }> {
  const now = ctx.clock.now();
  const where = { id: assetId, deletedAt: null, team: { suspended: false } };
  const data = {
    statusUpdatedAt: now,
    uploadLease: leaseId,
    uploadLeaseUntil: leaseEnd(now),
  };
  const startedAsset = await transact(ctx, async (tx) => {
    const waitingFilter = {
      phase: { in: assetMachine.statesBefore('upload_started') },
      uploadLease: null,
      sourceType: 'directUpload',
      sourceAssetId: null,
    };
    const [row] = await tx.db.asset.updateManyAndReturn({
      where: { ...where, ...waitingFilter },
      data: { ...data, phase: assetMachine.stateAfter('upload_started') },
    });
    if (row) await emitAssetEvent(tx, 'asset.updated', row);
    return row;
  });
  if (startedAsset) return startedAsset;
  // The asset is already `uploading`: the same attempt continues, or a new attempt takes over from a silent one.
  const takeoverConditions = [{ uploadLease: leaseId }, { uploadLeaseUntil: { lt: now } }];
  const [row] = await ctx.db.asset.updateManyAndReturn({
    where: {
      ...where,
      phase: { in: assetMachine.statesBefore('upload_taken_over') },
      OR: takeoverConditions,
    },
    data: { ...data, phase: assetMachine.stateAfter('upload_taken_over') },
    select: { playbackId: true },
  });
  return row ?? throwStartRejection(ctx, assetId);
}

/**
 * Renews the lease of an attempt. To be called while its bytes arrive.
 * @returns false if another attempt has the lease
 */
export async function renewUploadLease(
  ctx: SystemContext,
  { assetId, leaseId }: UploadAttempt,
): Promise<boolean> {
  const { count } = await ctx.db.asset.updateMany({
    where: {
      id: assetId,
      uploadLease: leaseId,
      deletedAt: null,
      phase: { in: assetMachine.statesBefore('upload_taken_over') },
    },
    data: { uploadLeaseUntil: leaseEnd(ctx.clock.now()) },
  });
  return count > 0;
}

/**
 * Releases the lease of an interrupted attempt, so that the same URL can be used again. The phase of the asset becomes
 * `waiting`.
 * @param uploadedBytes number of bytes that are kept for the next attempt, and count for the storage quota
 */
export async function interruptUpload(
  ctx: SystemContext,
  { assetId, leaseId }: UploadAttempt,
  uploadedBytes = 0,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const [row] = await tx.db.asset.updateManyAndReturn({
      where: { id: assetId, phase: { in: assetMachine.statesBefore('upload_broken') }, uploadLease: leaseId },
      data: {
        phase: assetMachine.stateAfter('upload_broken'),
        statusUpdatedAt: tx.clock.now(),
        uploadLease: null,
        uploadLeaseUntil: null,
        reservedBytes: uploadedBytes,
      },
    });
    if (row) await emitAssetEvent(tx, 'asset.updated', row);
  });
}

/**
 * Sets the storage quota reserved for the received bytes of a tus upload that waits for its next request. Does nothing
 * while an attempt has the lease.
 */
export async function reserveUploadedBytes(
  ctx: SystemContext,
  assetId: string,
  bytes: number,
): Promise<void> {
  await ctx.db.asset.updateMany({
    where: { id: assetId, phase: 'waiting', uploadLease: null, reservedBytes: { not: bytes } },
    data: { reservedBytes: bytes },
  });
}

/**
 * Reserves storage quota for a file before its bytes are accepted.
 * @throws AppError `payment_required` if the quota is exceeded
 */
export async function reserveUploadQuota(ctx: SystemContext, assetId: string, bytes: number): Promise<void> {
  const rejection = await reserveStorage(ctx, { assetId, bytes });
  if (rejection) throw new AppError(rejection.code, rejection.message);
}

/** A file that was received completely, accepted and stored. */
export interface ReceivedFile {
  /** Storage key of the file. */
  readonly key: string;
  readonly bytes: number;
  /** Hashes of the file; null if the upload computed none. */
  readonly hashes: readonly { readonly hash: string; readonly algorithm: string }[] | null;
  readonly spec: FileSpec;
}

/**
 * Completes an upload whose file is stored: the phase of the asset becomes `processing`, and its tasks are queued.
 * @throws AppError `conflict` if another attempt has the lease
 */
export async function completeUpload(
  ctx: SystemContext,
  attempt: UploadAttempt,
  { key, bytes, hashes, spec }: ReceivedFile,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const row = await endAttempt(tx, attempt, 'upload_received', {
      sourceKey: key,
      size: BigInt(bytes),
      ...(hashes ? { hash: [...hashes] } : {}),
      videoSpec: spec,
      // Without hashes, a repeated file could not be compared with this one.
      uploadRepeatable: hashes !== null,
    });
    await queueImportOfAsset(tx, attempt.assetId);
    await emitAssetEvent(tx, 'asset.updated', row);
  });
}

/**
 * Fails an upload whose file was rejected: the asset and its tasks fail.
 * @param reason error message of the asset and its tasks
 * @param retainedKey storage key of the file, if it was stored because a retry may convert it
 * @throws AppError `conflict` if another attempt has the lease
 */
export async function failUpload(
  ctx: SystemContext,
  attempt: UploadAttempt,
  reason: string,
  retainedKey?: string,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const row = await endAttempt(tx, attempt, 'failed', {
      errorMessage: reason,
      ...omitUndefined({ sourceKey: retainedKey }),
    });
    await failTasksOfAsset(tx, attempt.assetId, reason);
    await emitAssetEvent(tx, 'asset.failed', row);
  });
}

type AssetChange = Parameters<Transaction['asset']['updateManyAndReturn']>[0]['data'];

async function endAttempt(
  tx: InTransaction<SystemContext>,
  { assetId, leaseId }: UploadAttempt,
  event: 'upload_received' | 'failed',
  data: AssetChange,
): Promise<Asset> {
  const [row] = await tx.db.asset.updateManyAndReturn({
    where: {
      id: assetId,
      uploadLease: leaseId,
      deletedAt: null,
      // Also for the event `failed`: an attempt that has the lease is receiving.
      phase: { in: assetMachine.statesBefore('upload_received') },
    },
    data: {
      ...data,
      phase: assetMachine.stateAfter(event),
      statusUpdatedAt: tx.clock.now(),
      uploadLease: null,
      uploadLeaseUntil: null,
      reservedBytes: 0,
    },
  });
  if (!row) throw new AppError('conflict', 'another upload of this asset took over');
  return row;
}

async function throwStartRejection(ctx: SystemContext, assetId: string): Promise<never> {
  const row = await ctx.db.asset.findFirst({
    where: { id: assetId, deletedAt: null, team: { suspended: false } },
    select: { phase: true, errorMessage: true, sourceType: true },
  });
  if (!row || row.sourceType !== 'directUpload') throw notFound();
  // The phase may be `waiting` again, because the other attempt may have ended since it blocked this one.
  if (receivingAssetPhases.includes(row.phase)) {
    throw new AppError(
      'conflict',
      'another upload of this asset is in progress; try again when it has ended',
    );
  }
  if (row.phase === 'failed') {
    throw new AppError('invalid', `this upload failed: ${row.errorMessage ?? 'unknown reason'}`);
  }
  throw new AppError('invalid', 'asset has already been uploaded');
}

const leaseEnd = (now: Date): Date => new Date(now.getTime() + LEASE_MS);
