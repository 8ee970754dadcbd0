import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CarReader } from '@ipld/car';
import { describe, expect, test } from 'vitest';
import { createArchive, archiveLength, createArchiveHead, readRootBlock } from './content-archive';
import { computeContentTree, RAW_CODEC } from './content-id';

/** Creates a file in which no two leaves are equal. */
function createFile(length: number): Buffer {
  const bytes = Buffer.alloc(length, 'headwater ');
  for (let offset = 0; offset + 4 <= length; offset += 100_000) bytes.writeUInt32BE(offset, offset);
  return bytes;
}
const readInPieces = (bytes: Buffer, size: number) =>
  Readable.from(
    (function* () {
      for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size);
    })(),
    { objectMode: false },
  );

async function archiveFile(bytes: Buffer, pieceBytes = 65_536) {
  const tree = await computeContentTree([bytes]);
  const head = await createArchiveHead(tree);
  const content = await buffer(
    Readable.from(createArchive(head, readInPieces(bytes, pieceBytes)), { objectMode: false }),
  );
  return { tree, head, content };
}

describe('the content archive of a file', () => {
  test.each([0, 1, 262_143, 262_144, 262_145, 1_000_000, 46_000_000])(
    'of %d bytes has every block, and each block matches its identifier',
    async (length) => {
      const bytes = createFile(length);
      const { tree, head, content } = await archiveFile(bytes);
      expect(content.length).toBe(archiveLength(head.length, length));
      const reader = await CarReader.fromBytes(content);
      expect((await reader.getRoots()).map(String)).toEqual([tree.root.toString()]);
      const leaves: Uint8Array[] = [];
      let nodeCount = 0;
      for await (const { cid, bytes: block } of reader.blocks()) {
        expect(createHash('sha256').update(block).digest().equals(cid.multihash.digest)).toBe(true);
        if (cid.code === RAW_CODEC) leaves.push(block);
        else nodeCount++;
      }
      expect(nodeCount).toBe(tree.nodes.length);
      expect(Buffer.concat(leaves).equals(bytes)).toBe(true);
      const root = await readRootBlock(head);
      if (length <= 262_144) expect(root).toBeNull();
      else expect(root?.cid.toString()).toBe(tree.root.toString());
    },
  );

  test('is the same for all sizes of the chunks in which the file is read', async () => {
    const bytes = createFile(700_000);
    const [small, large] = [await archiveFile(bytes, 1_000), await archiveFile(bytes, 700_000)];
    expect(small.content.equals(large.content)).toBe(true);
  });

  test('fails with the error of the file', async () => {
    const brokenSource = new Readable({ read: () => brokenSource.destroy(new Error('gone')) });
    const reading = Readable.from(createArchive(Buffer.from('head'), brokenSource), { objectMode: false });
    await expect(buffer(reading)).rejects.toThrow('gone');
  });
});
