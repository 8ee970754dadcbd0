import { transact, type AccountContext } from '@/lib/context';
import type { importAsset as endpoint } from '@/lib/contract/asset-work-endpoints';
import type { BodyOf, ResponseOf } from '@/lib/contract/define-endpoint';
import { maskedUrl } from '@/lib/core/masked-url';
import { unfinishedTaskPhases } from '@/lib/core/task-state';
import { createTask, serializeTask, takeTurn, type AccountTransaction } from '@/lib/tasks';
import { checkRemote } from './check-remote';
import { createAsset } from './create-asset';
import { serializeAsset } from './serialize';
import { importedFrom } from './source-url';

/** A repeated import of the same URL within this time returns the first one. */
const sameImportMs = 15 * 60_000;

/**
 * Creates an asset whose file will be downloaded. The same URL again, while its import is not
 * finished, is the same import: a client that tries again makes no second asset.
 * @throws AppError `invalid` (an address that is not public), `rate_limited`
 */
export async function importAsset(
  ctx: AccountContext,
  { url, name, creatorId }: BodyOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  checkRemote(ctx, 'url', url);
  return transact(ctx, async (tx) => {
    await takeTurn(tx);
    const running = await findRunning(tx, url);
    if (running) return running;
    const asset = await createAsset(tx, { name, creatorId, sourceType: 'url', sourceUrl: url });
    const task = await createTask(tx, {
      type: 'import',
      params: { import: { url: maskedUrl(url) } },
      outputAssetId: asset.id,
      due: true,
    });
    return { asset: serializeAsset(asset, ctx.settings), task: serializeTask(task) };
  });
}

async function findRunning(tx: AccountTransaction, url: string): Promise<ResponseOf<typeof endpoint> | null> {
  const { userId } = tx.actor;
  const found = await tx.db.task.findFirst({
    where: {
      userId,
      type: 'import',
      createdAt: { gt: new Date(tx.clock.now().getTime() - sameImportMs) },
      phase: { in: [...unfinishedTaskPhases] },
      outputAsset: { userId, deletedAt: null, ...importedFrom(tx, url) },
    },
    orderBy: { createdAt: 'desc' },
    include: { outputAsset: true },
  });
  if (!found?.outputAsset) return null;
  return { asset: serializeAsset(found.outputAsset, tx.settings), task: serializeTask(found) };
}
