import { transact, type SystemContext } from '@/lib/domain/context';
import { assetMachine } from '@/lib/core/assets/asset-state';
import { UNSENT_LIFETIME_MS, UPLOAD_LIFETIME_MS } from '@/lib/core/access/upload-token';
import { failTasksOfAsset } from '@/lib/domain/tasks';
import { emitAssetEvent } from '@/lib/domain/assets/serialize';
import type { Prisma } from '@/lib/generated/prisma/client';
import { unsentUploadFilter } from './unsent-uploads';

/** Time after the end of its lease at which an upload counts as interrupted; its asset then waits for another attempt. */
const EXPIRED_LEASE_MS = 60_000;
const BATCH_SIZE = 100;
const newUrlHint = 'Request a new upload URL with POST /api/asset/request-upload.';
const reasons = {
  unsent: `upload expired: no file arrived within an hour. ${newUrlHint}`,
  incomplete: `upload expired: the file was not complete after 12 hours. ${newUrlHint}`,
};

/**
 * Ends abandoned uploads. A silent upload returns to `waiting`; an upload without stored bytes fails an hour after its
 * last attempt, and any upload fails when its URL has expired.
 */
export async function expireUploads(ctx: SystemContext): Promise<void> {
  const now = ctx.clock.now();
  const expiredBefore = new Date(now.getTime() - EXPIRED_LEASE_MS);
  await transact(ctx, async (tx) => {
    const interruptedAssets = await tx.db.asset.updateManyAndReturn({
      where: {
        phase: { in: assetMachine.statesBefore('upload_broken') },
        uploadLeaseUntil: { lt: expiredBefore },
      },
      data: {
        phase: assetMachine.stateAfter('upload_broken'),
        statusUpdatedAt: now,
        uploadLease: null,
        uploadLeaseUntil: null,
        // An origin that keeps bytes of the upload reports their number again.
        reservedBytes: 0,
      },
    });
    for (const row of interruptedAssets) await emitAssetEvent(tx, 'asset.updated', row);
  });
  const waitingFilter = { ...unsentUploadFilter, deletedAt: null };
  // The additional minute keeps an attempt that begins just before the deadline from failing before it takes the lease.
  const olderThan = (ms: number) => ({ lt: new Date(now.getTime() - ms - EXPIRED_LEASE_MS) });
  await failUploads(
    ctx,
    { ...waitingFilter, statusUpdatedAt: olderThan(UNSENT_LIFETIME_MS) },
    reasons.unsent,
  );
  // Uploads whose URL has expired fail whether or not some of their bytes are stored.
  const { reservedBytes: _, ...incompleteFilter } = waitingFilter;
  await failUploads(
    ctx,
    { ...incompleteFilter, createdAt: olderThan(UPLOAD_LIFETIME_MS) },
    reasons.incomplete,
  );
}

async function failUploads(ctx: SystemContext, where: Prisma.AssetWhereInput, reason: string): Promise<void> {
  const expiredAssets = await ctx.db.asset.findMany({ where, select: { id: true }, take: BATCH_SIZE });
  for (const { id } of expiredAssets) {
    await transact(ctx, async (tx) => {
      const [row] = await tx.db.asset.updateManyAndReturn({
        where: { ...where, id },
        data: {
          phase: assetMachine.stateAfter('failed'),
          statusUpdatedAt: tx.clock.now(),
          errorMessage: reason,
          reservedBytes: 0,
        },
      });
      if (!row) return;
      await failTasksOfAsset(tx, id, reason);
      await emitAssetEvent(tx, 'asset.failed', row);
    });
  }
}
