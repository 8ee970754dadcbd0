import { transact, type SystemContext, type WorkerContext } from '@/lib/context';
import { ipfsArchiveKey, ipfsKey } from '@/lib/core/storage-keys';
import type { Transaction } from '@/lib/infra/db';
import { forgetIpfsBlocks } from './ipfs-blocks';

/** A copy was removed while it was requested again: the next attempt stores it again. */
class CopyRemoved extends Error {
  override readonly name = 'CopyRemoved';
  readonly userMessage = 'an older copy of the same file was being removed; it is created again';
}

type InTransaction<T extends SystemContext> = Omit<T, 'db'> & { readonly db: Transaction };

/**
 * Until this transaction ends, nobody removes a copy with one of these identifiers: the same bytes have the same
 * identifier, whoever exported them, so one may have been removed since it was stored. Then the transaction names it.
 * @throws CopyRemoved
 */
export async function holdIpfsCopies(
  tx: InTransaction<WorkerContext>,
  cids: readonly string[],
): Promise<void> {
  // In one order, so that two of them never wait for each other.
  for (const cid of cids.toSorted()) {
    await lock(tx, cid);
    const kept = await Promise.all([ipfsKey(cid), ipfsArchiveKey(cid)].map((key) => tx.storage.head(key)));
    if (kept.includes(null)) throw new CopyRemoved(`the copy ${cid} was removed in the meantime`);
  }
}

/** Removes a copy for IPFS, unless an asset names it. @returns whether it was removed */
export async function dropIpfsCopy(ctx: WorkerContext, cid: string): Promise<boolean> {
  // The file last: what a crash leaves of a copy is found by it, and is not taken for a whole one.
  const headGone = await whileUnnamed(ctx, cid, async (tx) => {
    await ctx.storage.delete(ipfsArchiveKey(cid));
    await forgetIpfsBlocks(tx, cid);
  });
  return headGone && (await whileUnnamed(ctx, cid, () => ctx.storage.delete(ipfsKey(cid))));
}

async function whileUnnamed(
  ctx: WorkerContext,
  cid: string,
  act: (tx: InTransaction<SystemContext>) => Promise<void>,
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    await lock(tx, cid);
    const named = { OR: [{ cid }, { nftMetadataCid: cid }], bytesRemovedAt: null };
    if ((await tx.db.asset.count({ where: named })) > 0) return false;
    await act(tx);
    return true;
  });
}

/** One at a time for each identifier, until the transaction ends. */
async function lock({ db }: { readonly db: Transaction }, cid: string): Promise<void> {
  await db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`ipfs ${cid}`}, 0))`;
}
