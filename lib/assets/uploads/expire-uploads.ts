import { transact, type SystemContext } from '@/lib/context';
import { assetPhaseAfter, assetPhasesBefore } from '@/lib/core/assets/asset-state';
import { uploadLifetimeMs } from '@/lib/core/access/upload-token';
import { failTasksFor } from '@/lib/tasks';
import { emitAssetEvent } from '@/lib/assets/serialize';

/** An upload without data for this long has ended; its asset waits for another attempt. */
const silentMs = 60_000;
const batch = 100;
const reason = 'upload expired: no file arrived before the URL expired';

/** Abandoned uploads: back to `waiting`, and failed once their URL has expired. */
export async function expireUploads(ctx: SystemContext): Promise<void> {
  const now = ctx.clock.now();
  const silentSince = new Date(now.getTime() - silentMs);
  await transact(ctx, async (tx) => {
    const silent = await tx.db.asset.updateManyAndReturn({
      where: { phase: { in: assetPhasesBefore('upload_broken') }, uploadLeaseUntil: { lt: silentSince } },
      data: {
        phase: assetPhaseAfter('upload_broken'),
        statusUpdatedAt: now,
        uploadLease: null,
        uploadLeaseUntil: null,
      },
    });
    for (const row of silent) await emitAssetEvent(tx, 'asset.updated', row);
  });
  const expired = await ctx.db.asset.findMany({
    where: {
      phase: 'waiting',
      uploadLease: null,
      deletedAt: null,
      sourceType: 'directUpload',
      sourceAssetId: null,
      createdAt: { lt: new Date(now.getTime() - uploadLifetimeMs - silentMs) },
    },
    select: { id: true },
    take: batch,
  });
  for (const { id } of expired) {
    await transact(ctx, async (tx) => {
      const [row] = await tx.db.asset.updateManyAndReturn({
        where: { id, phase: 'waiting', uploadLease: null },
        data: { phase: assetPhaseAfter('failed'), statusUpdatedAt: now, errorMessage: reason },
      });
      if (!row) return;
      await failTasksFor(tx, id, reason);
      await emitAssetEvent(tx, 'asset.failed', row);
    });
  }
}
