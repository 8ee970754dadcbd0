import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { computeContentId, computeContentTree } from './content-id';

/** Identifiers printed by `ipfs add --cid-version 1`. */
test.each([
  ['hello world\n', 'bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4'],
  ['', 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
])('the identifier of %j is the one that ipfs computes', async (text, cid) => {
  expect(await computeContentId([Buffer.from(text)])).toBe(cid);
  expect(await computeContentId(Readable.from([Buffer.from(text)]))).toBe(cid);
});

test('the identifier depends on the bytes, not on their pieces', async () => {
  const bytes = Buffer.alloc(1_000_000, 1);
  const wholeId = await computeContentId([bytes]);
  expect(wholeId).toBe('bafybeid2kj6m3epdygy5httmnqt7tkqfvvzubqvympian5uu2xy76ov6ee');
  const pieces = Array.from({ length: 1_000 }, (_, index) =>
    bytes.subarray(index * 1_000, (index + 1) * 1_000),
  );
  expect(await computeContentId(Readable.from(pieces))).toBe(wholeId);
});

/** Protocol Buffers of dag-pb and UnixFS, implemented independently for the test. */
const varint = (value: number): Buffer =>
  value < 128
    ? Buffer.from([value])
    : Buffer.concat([Buffer.from([(value % 128) | 128]), varint(Math.floor(value / 128))]);
const field = (number: number, value: number | Buffer): Buffer =>
  typeof value === 'number'
    ? Buffer.concat([varint(number * 8), varint(value)])
    : Buffer.concat([varint(number * 8 + 2), varint(value.length), value]);
const identifier = (codec: number, block: Buffer): Buffer =>
  Buffer.concat([Buffer.from([1, codec, 0x12, 0x20]), createHash('sha256').update(block).digest()]);
const base32 = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.match(/.{1,5}/g) ?? [];
  return `b${digits.map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')}`;
};

interface Part {
  readonly cid: Buffer;
  /** Bytes of the file below the node, and bytes of all its blocks. */
  readonly file: number;
  readonly totalBytes: number;
}

function nodeOver(parts: readonly Part[]): Part {
  const sum = (count: (part: Part) => number) => parts.reduce((total, part) => total + count(part), 0);
  const links = parts.map(({ cid, totalBytes }) =>
    field(2, Buffer.concat([field(1, cid), field(2, Buffer.alloc(0)), field(3, totalBytes)])),
  );
  const file = sum((part) => part.file);
  const unixfs = [field(1, 2), field(3, file), ...parts.map((part) => field(4, part.file))];
  const block = Buffer.concat([...links, field(1, Buffer.concat(unixfs))]);
  return { cid: identifier(0x70, block), file, totalBytes: block.length + sum((part) => part.totalBytes) };
}

test.each([262_144, 262_145, 1_000_000, 174 * 262_144, 174 * 262_144 + 1, 400 * 262_144 - 5])(
  'the tree of %d bytes has the blocks that the formats prescribe',
  async (length) => {
    const bytes = Buffer.alloc(length, 'headwater ');
    let parts: Part[] = [];
    for (let offset = 0; offset < length; offset += 262_144) {
      const leaf = bytes.subarray(offset, offset + 262_144);
      parts.push({ cid: identifier(0x55, leaf), file: leaf.length, totalBytes: leaf.length });
    }
    while (parts.length > 1) {
      const level = parts;
      parts = Array.from({ length: Math.ceil(level.length / 174) }, (_, index) =>
        nodeOver(level.slice(index * 174, (index + 1) * 174)),
      );
    }
    const { root, nodes } = await computeContentTree([bytes]);
    expect(root.toString()).toBe(base32(parts[0]?.cid ?? Buffer.alloc(0)));
    expect(nodes.map(({ bytes: { length } }) => length).every((size) => size < 20_000)).toBe(true);
  },
);
