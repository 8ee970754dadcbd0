import type { Readable } from 'node:stream';
import { importer } from 'ipfs-unixfs-importer';
import { balanced } from 'ipfs-unixfs-importer/layout';
import { fixedSize } from 'ipfs-unixfs-importer/chunker';

/** The blocks themselves are not kept: the file is. */
const nowhere: Parameters<typeof importer>[1] = {
  put: (cid) => Promise.resolve(cid),
  get: () => {
    throw new Error('no block is kept');
  },
} as Parameters<typeof importer>[1];

/** Exactly what `ipfs add --cid-version 1` does. */
const likeKubo = {
  cidVersion: 1,
  rawLeaves: true,
  chunker: fixedSize({ chunkSize: 262_144 }),
  layout: balanced({ maxChildrenPerNode: 174 }),
} as const;

/** The content identifier that IPFS gives these bytes, computed while they are read. */
export async function contentId(bytes: Readable | readonly Buffer[]): Promise<string> {
  for await (const { cid } of importer(
    [{ content: bytes as AsyncIterable<Uint8Array> }],
    nowhere,
    likeKubo,
  )) {
    return cid.toString();
  }
  throw new Error('no identifier was computed');
}
