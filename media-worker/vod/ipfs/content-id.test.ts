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

/** Codec numbers of leaves and of nodes. */
const [RAW, DAG_PB] = [0x55, 0x70];
/** Size of a leaf and number of links of a node, as `ipfs add --cid-version 1` chooses them. */
const LEAF_BYTES = 262_144;
const MAX_LINKS = 174;

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
  /** Bytes of the file below the node. */
  readonly fileBytes: number;
  /** Bytes of the node and of all blocks below it. */
  readonly totalBytes: number;
}

function nodeOver(parts: readonly Part[]): Part {
  const sum = (count: (part: Part) => number) => parts.reduce((total, part) => total + count(part), 0);
  const links = parts.map(({ cid, totalBytes }) =>
    field(2, Buffer.concat([field(1, cid), field(2, Buffer.alloc(0)), field(3, totalBytes)])),
  );
  const fileBytes = sum((part) => part.fileBytes);
  const unixfs = [field(1, 2), field(3, fileBytes), ...parts.map((part) => field(4, part.fileBytes))];
  const block = Buffer.concat([...links, field(1, Buffer.concat(unixfs))]);
  return {
    cid: identifier(DAG_PB, block),
    fileBytes,
    totalBytes: block.length + sum((part) => part.totalBytes),
  };
}

const nodeBytes = MAX_LINKS * LEAF_BYTES;
test.each([LEAF_BYTES, LEAF_BYTES + 1, 1_000_000, nodeBytes, nodeBytes + 1, 400 * LEAF_BYTES - 5])(
  'the tree of %d bytes has the root that the formats prescribe, and nodes of less than 20 kB',
  async (length) => {
    const bytes = Buffer.alloc(length, 'headwater ');
    let parts: Part[] = [];
    for (let offset = 0; offset < length; offset += LEAF_BYTES) {
      const leaf = bytes.subarray(offset, offset + LEAF_BYTES);
      parts.push({ cid: identifier(RAW, leaf), fileBytes: leaf.length, totalBytes: leaf.length });
    }
    while (parts.length > 1) {
      const level = parts;
      parts = Array.from({ length: Math.ceil(level.length / MAX_LINKS) }, (_, index) =>
        nodeOver(level.slice(index * MAX_LINKS, (index + 1) * MAX_LINKS)),
      );
    }
    const { root, nodes } = await computeContentTree([bytes]);
    expect(root.toString()).toBe(base32(parts[0]?.cid ?? Buffer.alloc(0)));
    expect(nodes.map(({ bytes: { length } }) => length).every((size) => size < 20_000)).toBe(true);
  },
);
