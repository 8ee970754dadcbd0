import type { Readable } from 'node:stream';
import { importer } from 'ipfs-unixfs-importer';
import { balanced } from 'ipfs-unixfs-importer/layout';
import { fixedSize } from 'ipfs-unixfs-importer/chunker';
import type { CID } from 'multiformats/cid';

/** Bytes of a file in each leaf of its tree; the last leaf may be shorter. */
export const LEAF_BYTES = 262_144;
/** Raw bytes (multicodec `raw`). */
export const RAW_CODEC = 0x55;

/** The options of `ipfs add --cid-version 1`. */
const kuboOptions = {
  cidVersion: 1,
  rawLeaves: true,
  chunker: fixedSize({ chunkSize: LEAF_BYTES }),
  layout: balanced({ maxChildrenPerNode: 174 }),
} as const;

export interface ContentBlock {
  readonly cid: CID;
  readonly bytes: Uint8Array;
}

/** A file in IPFS: the blocks above its bytes, and the identifier of the root. */
export interface ContentTree {
  readonly root: CID;
  /** The nodes, root first; empty if the file is a single leaf. About 9 KB for each 45 MB. */
  readonly nodes: readonly ContentBlock[];
}

type Blockstore = Parameters<typeof importer>[1];

/** Computes the IPFS tree of these bytes while they are read. Leaves are not stored, because the file contains them. */
export async function computeContentTree(bytes: Readable | readonly Buffer[]): Promise<ContentTree> {
  const nodes: ContentBlock[] = [];
  const nodeCollector = {
    put(cid: CID, block: Uint8Array) {
      if (cid.code !== RAW_CODEC) nodes.unshift({ cid, bytes: block });
      return Promise.resolve(cid);
    },
    get: () => {
      throw new Error('No block is read while a tree is built');
    },
  } as unknown as Blockstore;
  const files = [{ content: bytes as AsyncIterable<Uint8Array> }];
  for await (const { cid } of importer(files, nodeCollector, kuboOptions)) return { root: cid, nodes };
  throw new Error('No identifier was computed');
}

/** The IPFS content identifier of these bytes. */
export async function computeContentId(bytes: Readable | readonly Buffer[]): Promise<string> {
  return (await computeContentTree(bytes)).root.toString();
}
