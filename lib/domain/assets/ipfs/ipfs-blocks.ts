import { policyOf } from '@/lib/domain/access';
import { isRestricted } from '@/lib/core/access/playback-policy';
import { deleteFiles } from '@/lib/domain/backup';
import { type SystemContext, type WorkerContext, transact, type InTransaction } from '@/lib/domain/context';
import { ipfsArchiveKey, ipfsKey } from '@/lib/core/storage-keys';
import type { Transaction } from '@/lib/infra/db';

/**
 * A block of a copy for IPFS, with its location in the storage (ADR 19). Blocks form a tree: a leaf is a range of the file,
 * and an inner block, called node in IPFS, lists the blocks below it.
 */
export interface IpfsBlock {
  /** CID in binary form. */
  readonly cid: Uint8Array;
  /** First byte of the file range that the block represents. */
  readonly start: number;
  readonly bytes: number;
  /** Byte position in the head of the archive; null for a leaf, whose content is the file range itself. */
  readonly node: { readonly at: number; readonly bytes: number } | null;
}

export interface IpfsContent {
  /** CID of the copy that contains the block. */
  readonly root: string;
  /** Block inside the copy; null for the whole copy. */
  readonly part: Omit<IpfsBlock, 'cid'> | null;
}

const BATCH_SIZE = 500;

/** Stores the locations of the blocks of a copy, in batches. Idempotent. */
export async function storeIpfsBlocks(
  ctx: SystemContext,
  root: string,
  blocks: AsyncIterable<IpfsBlock>,
): Promise<void> {
  let blockBatch: IpfsBlock[] = [];
  const write = async () => {
    const data = blockBatch.map(({ cid, start, bytes, node }) => ({
      cid: new Uint8Array(cid),
      root,
      start: BigInt(start),
      bytes: BigInt(bytes),
      nodeAt: node?.at ?? null,
      nodeBytes: node?.bytes ?? null,
    }));
    blockBatch = [];
    await ctx.db.ipfsBlock.createMany({ data, skipDuplicates: true });
  };
  for await (const block of blocks) if (blockBatch.push(block) === BATCH_SIZE) await write();
  if (blockBatch.length > 0) await write();
}

/** Deletes the block locations of a copy before its files. */
async function deleteIpfsBlocks({ db }: SystemContext, root: string): Promise<void> {
  await db.ipfsBlock.deleteMany({ where: { root } });
}

/** Maximum number of assets or copies with equal bytes that are examined. */
const MAX_CANDIDATES = 20;

/**
 * The copy, or the block of a copy, with this identifier (CID); null if no visible public asset references it.
 * @param text CID as text, as assets store it
 * @param binary the same CID in binary form, as blocks store it
 */
export async function findIpfsContent(
  { db }: SystemContext,
  { text, binary }: { readonly text: string; readonly binary: Uint8Array },
): Promise<IpfsContent | null> {
  const visibleAssetFilter = { deletedAt: null, team: { suspended: false } };
  const isPublicCopy = async (cid: string) => {
    const assets = await db.asset.findMany({
      where: { ...visibleAssetFilter, OR: [{ cid }, { nftMetadataCid: cid }] },
      select: { playbackPolicy: true },
      take: MAX_CANDIDATES,
    });
    // A CID grants access without a token, so content with a playback policy is not served.
    return assets.some((asset) => !isRestricted(policyOf(asset)));
  };
  if (await isPublicCopy(text)) return { root: text, part: null };
  // Several copies may contain the same block.
  const blocks = await db.ipfsBlock.findMany({
    where: { cid: new Uint8Array(binary) },
    take: MAX_CANDIDATES,
  });
  for (const { root, start, bytes, nodeAt, nodeBytes } of blocks) {
    if (!(await isPublicCopy(root))) continue;
    const node = nodeAt === null || nodeBytes === null ? null : { at: nodeAt, bytes: nodeBytes };
    return { root, part: { start: Number(start), bytes: Number(bytes), node } };
  }
  return null;
}

/** A copy was deleted while another export requested it. The next attempt of the export stores the copy again. */
class CopyDeletedError extends Error {
  override readonly name = 'CopyDeleted';
  readonly userMessage = 'an older copy of the same file was being removed; it is created again';
}

/**
 * Protects copies from deletion until the end of this transaction, which references them. Equal bytes have equal identifiers
 * across teams, so a copy may have been deleted since it was stored.
 * @throws CopyDeletedError
 */
export async function lockIpfsCopies(
  tx: InTransaction<WorkerContext>,
  cids: readonly string[],
): Promise<void> {
  // Copies are locked in sorted order to avoid deadlocks.
  for (const cid of cids.toSorted()) {
    await lockCid(tx, cid);
    const storedCopies = await Promise.all(
      [ipfsKey(cid), ipfsArchiveKey(cid)].map((key) => tx.storage.head(key)),
    );
    if (storedCopies.includes(null))
      throw new CopyDeletedError(`the copy ${cid} was deleted in the meantime`);
  }
}

/**
 * Deletes a copy for IPFS unless an asset references it or a backup runs.
 * @returns whether it was deleted
 */
export async function deleteIpfsCopy(ctx: WorkerContext, cid: string): Promise<boolean> {
  // The file is deleted last, because it is how the next run finds an incomplete copy after a crash.
  const isArchiveDeleted = await ifUnreferenced(ctx, cid, async (tx) => {
    if (!(await deleteFiles(ctx, ipfsArchiveKey(cid)))) return false;
    await deleteIpfsBlocks(tx, cid);
    return true;
  });
  return isArchiveDeleted && (await ifUnreferenced(ctx, cid, () => deleteFiles(ctx, ipfsKey(cid))));
}

/** Calls `deleteFile` while no asset references the copy. The lock keeps new exports from referencing it meanwhile. */
async function ifUnreferenced(
  ctx: WorkerContext,
  cid: string,
  deleteFile: (tx: InTransaction<SystemContext>) => Promise<boolean>,
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    await lockCid(tx, cid);
    const whereReferenced = { OR: [{ cid }, { nftMetadataCid: cid }], bytesRemovedAt: null };
    if ((await tx.db.asset.count({ where: whereReferenced })) > 0) return false;
    return deleteFile(tx);
  });
}

/** Locks an identifier until the transaction ends. */
async function lockCid({ db }: { readonly db: Transaction }, cid: string): Promise<void> {
  await db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`ipfs ${cid}`}, 0))`;
}
