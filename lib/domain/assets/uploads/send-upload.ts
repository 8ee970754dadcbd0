import { transact, type SystemContext, type InTransaction } from '@/lib/domain/context';
import { assetMachine, receivingAssetPhases } from '@/lib/core/assets/asset-state';
import type { FileSpec } from '@/lib/core/media/video-spec';
import { AppError, notFound } from '@/lib/core/errors';
import type { Asset } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import { reserveStorage } from '@/lib/domain/quotas';
import { failTasksFor, queueTasksFor } from '@/lib/domain/tasks';
import { emitAssetEvent } from '@/lib/domain/assets/serialize';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** One attempt of a client to send the bytes of an upload. Only one attempt at a time may write to an asset. */
export interface UploadAttempt {
  readonly assetId: string;
  /** Random id of the attempt, stored as `uploadLease` in the row of the asset. */
  readonly lease: string;
}

/** Time without bytes after which another attempt may take over the upload. */
const LEASE_MS = 60_000;

/**
 * Starts an attempt: the asset changes from `waiting` to `uploading`. If the lease of an earlier attempt has expired, this
 * attempt takes it over.
 * @returns the playback id of the asset
 * @throws AppError `not_found`; `conflict` while another attempt runs; `invalid` if the file was already received
 */
export async function startUpload(
  ctx: SystemContext,
  { assetId, lease }: UploadAttempt,
): Promise<{ playbackId: string }> {
  const now = ctx.clock.now();
  const where = { id: assetId, deletedAt: null, team: { suspended: false } };
  const data = {
    statusUpdatedAt: now,
    uploadLease: lease,
    uploadLeaseUntil: leaseEnd(now),
  };
  const upload = await transact(ctx, async (tx) => {
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
  if (upload) return upload;
  // The asset is already `uploading`: the same attempt continues, or a new attempt takes over from a silent one.
  const takeoverConditions = [{ uploadLease: lease }, { uploadLeaseUntil: { lt: now } }];
  const [row] = await ctx.db.asset.updateManyAndReturn({
    where: {
      ...where,
      phase: { in: assetMachine.statesBefore('upload_taken_over') },
      OR: takeoverConditions,
    },
    data: { ...data, phase: assetMachine.stateAfter('upload_taken_over') },
    select: { playbackId: true },
  });
  return row ?? throwStartRefusal(ctx, assetId);
}

/**
 * Renews the lease while bytes arrive.
 * @returns false if another attempt has taken over
 */
export async function renewUpload(ctx: SystemContext, { assetId, lease }: UploadAttempt): Promise<boolean> {
  const { count } = await ctx.db.asset.updateMany({
    where: {
      id: assetId,
      uploadLease: lease,
      deletedAt: null,
      phase: { in: assetMachine.statesBefore('upload_taken_over') },
    },
    data: { uploadLeaseUntil: leaseEnd(ctx.clock.now()) },
  });
  return count > 0;
}

/**
 * Ends an interrupted attempt: the asset is `waiting` again, and the client can send to the same URL.
 * @param uploadedBytes number of bytes kept for the next attempt
 */
export async function interruptUpload(
  ctx: SystemContext,
  { assetId, lease }: UploadAttempt,
  uploadedBytes = 0,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const [row] = await tx.db.asset.updateManyAndReturn({
      where: { id: assetId, phase: { in: assetMachine.statesBefore('upload_broken') }, uploadLease: lease },
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

/** Counts the bytes that an upload in several requests has stored so far towards the storage quota of the team. */
export async function keepUploadedBytes(ctx: SystemContext, assetId: string, bytes: number): Promise<void> {
  await ctx.db.asset.updateMany({
    where: { id: assetId, phase: 'waiting', uploadLease: null, reservedBytes: { not: bytes } },
    data: { reservedBytes: bytes },
  });
}

/**
 * Reserves storage quota for a file before its bytes are accepted.
 * @throws AppError `payment_required` if the quota of the team is exhausted
 */
export async function reserveUpload(ctx: SystemContext, assetId: string, bytes: number): Promise<void> {
  const refusal = await reserveStorage(ctx, { assetId, bytes });
  if (refusal) throw new AppError(refusal.code, refusal.message);
}

export interface ReceivedFile {
  /** Storage key of the file. */
  readonly key: string;
  readonly bytes: number;
  /** Hashes of the file; null if the upload computed none. */
  readonly hashes: readonly { readonly hash: string; readonly algorithm: string }[] | null;
  readonly spec: FileSpec;
}

/**
 * Stores that the file of an asset was received and accepted: the asset becomes `processing`, and its task is queued.
 * @throws AppError `conflict` if another attempt has taken over
 */
export async function receiveUpload(
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
      uploadRepeatable: hashes !== null,
    });
    await queueTasksFor(tx, attempt.assetId);
    await emitAssetEvent(tx, 'asset.updated', row);
  });
}

/**
 * Rejects the file of an asset: the asset and its task fail with the same error message.
 * @param retainedKey storage key of the file, if a retry may convert it
 * @throws AppError `conflict` if another attempt has taken over
 */
export async function refuseUpload(
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
    await failTasksFor(tx, attempt.assetId, reason);
    await emitAssetEvent(tx, 'asset.failed', row);
  });
}

type AssetChange = Parameters<Transaction['asset']['updateManyAndReturn']>[0]['data'];

async function endAttempt(
  tx: InTransaction<SystemContext>,
  { assetId, lease }: UploadAttempt,
  event: 'upload_received' | 'failed',
  data: AssetChange,
): Promise<Asset> {
  const [row] = await tx.db.asset.updateManyAndReturn({
    where: {
      id: assetId,
      uploadLease: lease,
      deletedAt: null,
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

async function throwStartRefusal(ctx: SystemContext, assetId: string): Promise<never> {
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
