import { transact, type SystemContext } from '@/lib/domain/context';
import { assetMachine } from '@/lib/core/assets/asset-state';
import { unsentLifetimeMs, uploadLifetimeMs } from '@/lib/core/access/upload-token';
import { failTasksFor } from '@/lib/domain/tasks';
import { emitAssetEvent } from '@/lib/domain/assets/serialize';
import type { Prisma } from '@/lib/generated/prisma/client';
import { unsentUploads } from './unsent-uploads';

/** Silence after which an upload counts as interrupted; its asset then waits for another attempt. */
const silentMs = 60_000;
const batch = 100;
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
  const silentSince = new Date(now.getTime() - silentMs);
  await transact(ctx, async (tx) => {
    const silent = await tx.db.asset.updateManyAndReturn({
      where: { phase: { in: assetMachine.before('upload_broken') }, uploadLeaseUntil: { lt: silentSince } },
      data: {
        phase: assetMachine.after('upload_broken'),
        statusUpdatedAt: now,
        uploadLease: null,
        uploadLeaseUntil: null,
        // An origin that keeps bytes of the upload reports their number again.
        reservedBytes: 0,
      },
    });
    for (const row of silent) await emitAssetEvent(tx, 'asset.updated', row);
  });
  const waiting = { ...unsentUploads, deletedAt: null };
  const before = (ms: number) => ({ lt: new Date(now.getTime() - ms - silentMs) });
  await fail(ctx, { ...waiting, statusUpdatedAt: before(unsentLifetimeMs) }, reasons.unsent);
  const { reservedBytes: _, ...incomplete } = waiting;
  await fail(ctx, { ...incomplete, createdAt: before(uploadLifetimeMs) }, reasons.incomplete);
}

async function fail(ctx: SystemContext, where: Prisma.AssetWhereInput, reason: string): Promise<void> {
  const expiredAssets = await ctx.db.asset.findMany({ where, select: { id: true }, take: batch });
  for (const { id } of expiredAssets) {
    await transact(ctx, async (tx) => {
      const [row] = await tx.db.asset.updateManyAndReturn({
        where: { ...where, id },
        data: {
          phase: assetMachine.after('failed'),
          statusUpdatedAt: tx.clock.now(),
          errorMessage: reason,
          reservedBytes: 0,
        },
      });
      if (!row) return;
      await failTasksFor(tx, id, reason);
      await emitAssetEvent(tx, 'asset.failed', row);
    });
  }
}
