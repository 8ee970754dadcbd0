import { CarBlockIterator, CarIndexer } from '@ipld/car';
import { decode, type PBNode } from '@ipld/dag-pb';
import type { IpfsBlock } from '@/lib/assets';
import { leafBytes } from './content-id';

interface Node {
  readonly at: number;
  readonly bytes: number;
  readonly links: PBNode['Links'];
}

/** As the packages of IPFS have it, each with a version of its own. */
interface Identifier {
  readonly bytes: Uint8Array;
  toString(): string;
}

/**
 * Where each block of a file is, told by the head of its archive: nodes say in which order their leaves are cut out of
 * the file. In memory are the nodes alone, about 9 KB for each 45 MB. A file of a single leaf has none.
 * @param fileBytes length of the file
 */
export async function* contentBlocks(head: Buffer, fileBytes: number): AsyncGenerator<IpfsBlock> {
  const nodes = await nodesOf(head);
  function* below(cid: Identifier, start: number): Generator<IpfsBlock, number> {
    const node = nodes.get(cid.toString());
    if (!node) {
      const bytes = Math.min(leafBytes, fileBytes - start);
      yield { cid: cid.bytes, start, bytes, node: null };
      return start + bytes;
    }
    let end = start;
    for (const { Hash } of node.links) end = yield* below(Hash, end);
    yield { cid: cid.bytes, start, bytes: end - start, node: { at: node.at, bytes: node.bytes } };
    return end;
  }
  const [root] = await (await CarBlockIterator.fromBytes(head)).getRoots();
  if (root && nodes.size > 0) yield* below(root, 0);
}

async function nodesOf(head: Buffer): Promise<Map<string, Node>> {
  const nodes = new Map<string, Node>();
  for await (const { cid, blockOffset: at, blockLength: bytes } of await CarIndexer.fromBytes(head)) {
    nodes.set(cid.toString(), { at, bytes, links: decode(head.subarray(at, at + bytes)).Links });
  }
  return nodes;
}
