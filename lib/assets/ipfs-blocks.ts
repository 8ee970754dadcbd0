import type { SystemContext } from '@/lib/context';

/** A block of a copy for IPFS, and where it is stored (ADR 19). */
export interface IpfsBlock {
  /** In binary. */
  readonly cid: Uint8Array;
  /** The range of the file that it represents. */
  readonly start: number;
  readonly bytes: number;
  /** Where it is in the head of the archive; null for a leaf, which is those bytes. */
  readonly node: { readonly at: number; readonly bytes: number } | null;
}

export interface IpfsContent {
  /** The copy that has it. */
  readonly root: string;
  /** Null for the whole copy. */
  readonly part: Omit<IpfsBlock, 'cid'> | null;
}

const batch = 500;

/** Writes down where the blocks of a copy are, some at a time; doing it twice is harmless. */
export async function keepIpfsBlocks(
  ctx: SystemContext,
  root: string,
  blocks: AsyncIterable<IpfsBlock>,
): Promise<void> {
  let held: IpfsBlock[] = [];
  const write = async () => {
    const data = held.map(({ cid, start, bytes, node }) => ({
      cid: new Uint8Array(cid),
      ...{ root, start: BigInt(start), bytes: BigInt(bytes) },
      ...{ nodeAt: node?.at ?? null, nodeBytes: node?.bytes ?? null },
    }));
    held = [];
    await ctx.db.ipfsBlock.createMany({ data, skipDuplicates: true });
  };
  for await (const block of blocks) if (held.push(block) === batch) await write();
  if (held.length > 0) await write();
}

/** The copy is being removed. */
export async function forgetIpfsBlocks({ db }: SystemContext, root: string): Promise<void> {
  await db.ipfsBlock.deleteMany({ where: { root } });
}

/**
 * What an identifier stands for: a copy that an asset names, or a block of one. With the asset it is gone, and comes
 * back with it.
 */
export async function findIpfsContent(
  { db }: SystemContext,
  { text, binary }: { readonly text: string; readonly binary: Uint8Array },
): Promise<IpfsContent | null> {
  const shown = { deletedAt: null, account: { suspended: false } };
  const named = (cid: string) =>
    db.asset.findFirst({
      where: { ...shown, OR: [{ cid }, { nftMetadataCid: cid }] },
      select: { id: true },
    });
  if (await named(text)) return { root: text, part: null };
  // The same bytes may be in several copies.
  const blocks = await db.ipfsBlock.findMany({ where: { cid: new Uint8Array(binary) }, take: 20 });
  for (const { root, start, bytes, nodeAt, nodeBytes } of blocks) {
    if (!(await named(root))) continue;
    const node = nodeAt === null || nodeBytes === null ? null : { at: nodeAt, bytes: nodeBytes };
    return { root, part: { start: Number(start), bytes: Number(bytes), node } };
  }
  return null;
}
