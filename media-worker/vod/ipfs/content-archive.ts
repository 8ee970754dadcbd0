import type { Readable } from 'node:stream';
import { CarBlockIterator, CarIndexer, CarWriter } from '@ipld/car';
import { CID } from 'multiformats/cid';
import { sha256 } from 'multiformats/hashes/sha2';
import { type PBNode, decode } from '@ipld/dag-pb';
import type { IpfsBlock } from '@/lib/domain/assets';
import { type ContentBlock, type ContentTree, LEAF_BYTES, RAW_CODEC } from './content-id';

/**
 * Files as content archives (CAR version 1), whose bytes anyone can verify against an identifier. Header and nodes
 * are stored as the head of the archive; leaves are read from the file while it is sent.
 */

/** Identifier of a leaf in the archive: version, codec, and a SHA-256. */
const LEAF_ID_BYTES = 36;

/** Creates the bytes of an archive before its first leaf. */
export async function createArchiveHead({ root, nodes }: ContentTree): Promise<Buffer> {
  const { writer, out } = CarWriter.create([root]);
  const headBytes = concatenate(out);
  for (const { cid, bytes } of nodes) await writer.put({ cid, bytes });
  await writer.close();
  return headBytes;
}

type BlockWriter = ReturnType<typeof CarWriter.createAppender>['writer'];

/** Length of the whole archive of a file, in bytes. */
export function archiveLength(headBytes: number, fileBytes: number): number {
  const fullLeaves = Math.floor(fileBytes / LEAF_BYTES);
  const lastLeafBytes = fileBytes - fullLeaves * LEAF_BYTES;
  const lastSectionBytes = lastLeafBytes > 0 || fileBytes === 0 ? sectionBytesOf(lastLeafBytes) : 0;
  return headBytes + fullLeaves * sectionBytesOf(LEAF_BYTES) + lastSectionBytes;
}

/** The archive of a file, created while the file is read. */
export async function* createArchive(head: Buffer, file: Readable): AsyncGenerator<Uint8Array> {
  yield head;
  const { writer, out } = CarWriter.createAppender();
  const leavesWritten = writeLeaves(writer, file);
  // `out` reports the same error, because the writer is closed by then.
  leavesWritten.catch(() => undefined);
  yield* out;
  await leavesWritten;
}

/** Reads the root block; null if the file is a single leaf, which is its own root. */
export async function readRootBlock(head: Buffer): Promise<ContentBlock | null> {
  for await (const block of await CarBlockIterator.fromBytes(head)) return block;
  return null;
}

async function writeLeaves(writer: BlockWriter, file: Readable): Promise<void> {
  try {
    for await (const bytes of splitIntoLeaves(file)) {
      await writer.put({ cid: CID.createV1(RAW_CODEC, await sha256.digest(bytes)), bytes });
    }
  } finally {
    await writer.close();
  }
}

/** The bytes in pieces of a leaf; an empty file is one empty leaf. */
async function* splitIntoLeaves(file: Readable): AsyncGenerator<Buffer> {
  let heldChunks: Buffer[] = [];
  let length = 0;
  let hasLeaf = false;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    heldChunks.push(chunk);
    length += chunk.length;
    if (length < LEAF_BYTES) continue;
    let heldBytes = Buffer.concat(heldChunks);
    for (; heldBytes.length >= LEAF_BYTES; heldBytes = heldBytes.subarray(LEAF_BYTES)) {
      yield heldBytes.subarray(0, LEAF_BYTES);
      hasLeaf = true;
    }
    heldChunks = [heldBytes];
    length = heldBytes.length;
  }
  if (length > 0 || !hasLeaf) yield Buffer.concat(heldChunks);
}

/** Length of a section of the archive: a varint with its length, the identifier, and the bytes of a leaf. */
function sectionBytesOf(leafBytes: number): number {
  const length = LEAF_ID_BYTES + leafBytes;
  return Math.max(1, Math.ceil((32 - Math.clz32(length)) / 7)) + length;
}

async function concatenate(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** A node of the tree in the head of the archive. */
interface Node {
  /** Position in the head, bytes. */
  readonly headOffset: number;
  readonly bytes: number;
  readonly links: PBNode['Links'];
}

/** An identifier of any IPFS package, each of which has its own version of the type. */
interface Identifier {
  readonly bytes: Uint8Array;
  toString(): string;
}

/**
 * The position of each block of a file, from the head of its archive, whose nodes list the leaves in file order.
 * Memory holds only nodes, about 9 KB for each 45 MB. A file of a single leaf has none.
 * @param fileBytes length of the file
 */
export async function* listContentBlocks(head: Buffer, fileBytes: number): AsyncGenerator<IpfsBlock> {
  const nodes = await readNodes(head);
  function* walkBlocks(cid: Identifier, start: number): Generator<IpfsBlock, number> {
    const node = nodes.get(cid.toString());
    if (!node) {
      const bytes = Math.min(LEAF_BYTES, fileBytes - start);
      yield { cid: cid.bytes, start, bytes, node: null };
      return start + bytes;
    }
    let end = start;
    for (const { Hash } of node.links) end = yield* walkBlocks(Hash, end);
    yield { cid: cid.bytes, start, bytes: end - start, node: { at: node.headOffset, bytes: node.bytes } };
    return end;
  }
  const [root] = await (await CarBlockIterator.fromBytes(head)).getRoots();
  if (root && nodes.size > 0) yield* walkBlocks(root, 0);
}

async function readNodes(head: Buffer): Promise<Map<string, Node>> {
  const nodes = new Map<string, Node>();
  for await (const { cid, blockOffset: headOffset, blockLength: bytes } of await CarIndexer.fromBytes(head)) {
    const { Links: links } = decode(head.subarray(headOffset, headOffset + bytes));
    nodes.set(cid.toString(), { headOffset, bytes, links });
  }
  return nodes;
}
