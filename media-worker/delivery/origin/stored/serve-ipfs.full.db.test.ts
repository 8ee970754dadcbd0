import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { CarReader } from '@ipld/car';
import { CID } from 'multiformats/cid';
import { create as digestOf } from 'multiformats/hashes/digest';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  deleteAsset,
  findIpfsContent,
  storeIpfsBlocks,
  deleteBytes,
  deleteOrphans,
  restoreAsset,
} from '@/lib/domain/assets';
import { ipfsArchiveKey, ipfsKey } from '@/lib/core/storage-keys';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createArchiveHead, listContentBlocks } from '@/media-worker/vod/ipfs/content-archive';
import { computeContentTree, LEAF_BYTES } from '@/media-worker/vod/ipfs/content-id';
import { createServeIpfs } from './serve-ipfs';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, db, storage, createUpload } = fixtures;
const owner = await fixtures.createTeamContext();
const serve = createServeIpfs({ storage, find: (cid) => findIpfsContent(ctx, cid) });

async function request(
  cid: string,
  format: string | null = null,
  headers: IncomingHttpHeaders = {},
  otherParams = '',
) {
  const query = new URLSearchParams(`${format === null ? '' : `format=${format}`}&${otherParams}`);
  const answer = await serve({ path: `/${cid}`, query, headers });
  const body = answer.stream ? await buffer(await answer.stream.open()) : Buffer.concat(answer.body ?? []);
  return { status: answer.status, type: answer.headers?.['Content-Type'], headers: answer.headers, body };
}

/** Computes an identifier independently of the product. */
const identifierOf = (codec: number, block: Uint8Array): string =>
  CID.createV1(codec, digestOf(0x12, createHash('sha256').update(block).digest())).toString();
const [raw, dagPb] = [0x55, 0x70];

/**
 * More leaves than one node can have, so that the tree has intermediate nodes. All leaves differ, and the last one
 * is shorter.
 */
const leaves = Array.from({ length: 177 }, (_, n) => Buffer.alloc(n === 176 ? 1_000 : LEAF_BYTES, n));
const fileBytes = Buffer.concat(leaves);

/** Stores a file as an export does. */
async function storeExportedFile(bytes: Buffer) {
  const { assetId } = await createUpload(owner);
  const tree = await computeContentTree([bytes]);
  const cid = tree.root.toString();
  const head = await createArchiveHead(tree);
  await storage.put(ipfsArchiveKey(cid), head);
  await storage.put(ipfsKey(cid), bytes);
  await storeIpfsBlocks(ctx, cid, listContentBlocks(head, bytes.length));
  await db.asset.update({ where: { id: assetId }, data: { cid, phase: 'ready' } });
  return { assetId, cid, nodes: tree.nodes };
}
let exportedFile: Awaited<ReturnType<typeof storeExportedFile>>;
beforeAll(async () => {
  exportedFile = await storeExportedFile(fileBytes);
});

test('each leaf is found by its identifier, with and without a format in the request', async () => {
  for (const n of [0, 1, 173, 174, 176]) {
    const leaf = leaves[n] ?? Buffer.alloc(0);
    const cid = identifierOf(raw, leaf);
    for (const [format, type] of [
      [null, 'application/octet-stream'],
      ['raw', 'application/vnd.ipld.raw'],
    ] as const) {
      const answer = await request(cid, format);
      expect(answer).toMatchObject({ status: 200, type });
      expect(answer.body.equals(leaf)).toBe(true);
    }
    // The same digest with another codec is another identifier, which does not exist.
    expect((await request(identifierOf(dagPb, leaf))).status).toBe(404);
  }
});

test('an intermediate node is its block, or the bytes below it; the root is its block, or the file', async () => {
  const innerNodes = exportedFile.nodes.filter(({ cid }) => cid.toString() !== exportedFile.cid);
  expect(innerNodes).toHaveLength(2);
  for (const { cid, bytes } of innerNodes) {
    const block = await request(cid.toString(), 'raw');
    expect(block.body.equals(bytes)).toBe(true);
    expect(identifierOf(dagPb, block.body)).toBe(cid.toString());
    expect((await request(cid.toString(), 'car')).status).toBe(406);
  }
  const answers = await Promise.all(innerNodes.map(({ cid }) => request(cid.toString())));
  // The first node has the maximum number of leaves, and the second one the rest.
  const first = answers.find(({ body }) => body.length === 174 * LEAF_BYTES);
  const second = answers.find(({ body }) => body.length < 174 * LEAF_BYTES);
  expect(
    Buffer.concat([first?.body ?? Buffer.alloc(0), second?.body ?? Buffer.alloc(0)]).equals(fileBytes),
  ).toBe(true);
  expect((await request(exportedFile.cid)).body.equals(fileBytes)).toBe(true);
  expect(identifierOf(dagPb, (await request(exportedFile.cid, 'raw')).body)).toBe(exportedFile.cid);
});

test('unknown identifiers and invalid ones are not found', async () => {
  expect((await request(identifierOf(raw, Buffer.from('never stored')))).status).toBe(404);
  expect((await request(`b${'a'.repeat(58)}`)).status).toBe(404);
  expect((await request('../etc/passwd')).status).toBe(404);
});

test('a deleted asset is gone immediately with its blocks, and back when restored; a shared block stays with the other asset', async () => {
  const [sharedLeaf, ownLeaf] = [leaves[3] ?? Buffer.alloc(0), leaves[4] ?? Buffer.alloc(0)];
  const otherFile = await storeExportedFile(Buffer.concat([sharedLeaf, Buffer.alloc(10, 250)]));
  const statuses = async () =>
    Promise.all(
      [exportedFile.cid, identifierOf(raw, sharedLeaf), identifierOf(raw, ownLeaf), otherFile.cid].map(
        async (cid) => (await request(cid)).status,
      ),
    );
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  await deleteAsset(owner, exportedFile.assetId);
  expect(await statuses()).toEqual([404, 200, 404, 200]);
  await deleteAsset(owner, otherFile.assetId);
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  await restoreAsset(owner, exportedFile.assetId);
  expect(await statuses()).toEqual([200, 200, 200, 404]);
});

test('when a copy is deleted, its blocks are deleted from the database', async () => {
  const [removedFile, sweptFile] = [
    await storeExportedFile(Buffer.alloc(LEAF_BYTES + 1, 77)),
    await storeExportedFile(Buffer.alloc(LEAF_BYTES + 1, 78)),
  ];
  const countBlocks = ({ cid }: typeof removedFile) => db.ipfsBlock.count({ where: { root: cid } });
  // The root and two leaves.
  expect([await countBlocks(removedFile), await countBlocks(sweptFile)]).toEqual([3, 3]);
  await deleteAsset(owner, removedFile.assetId);
  await db.asset.update({ where: { id: removedFile.assetId }, data: { deletedAt: new Date(0) } });
  await db.task.updateMany({ data: { phase: 'completed' } });
  await deleteBytes(ctx);
  await db.asset.update({ where: { id: sweptFile.assetId }, data: { cid: null } });
  const twoDaysLater = { now: () => new Date(Date.now() + 2 * 24 * 3_600_000), monotonic: () => 0 };
  await deleteOrphans({ ...ctx, clock: twoDaysLater });
  expect([await countBlocks(removedFile), await countBlocks(sweptFile)]).toEqual([0, 0]);
  expect(await storage.head(ipfsKey(sweptFile.cid))).toBeNull();
  // 177 leaves, two intermediate nodes and the root.
  expect(await countBlocks(exportedFile)).toBe(180);
});

test('restricted content is not served, unless another asset has the same bytes', async () => {
  const { cid, assetId } = await storeExportedFile(Buffer.alloc(LEAF_BYTES + 1, 79));
  const status = async () => (await request(cid)).status;
  expect(await status()).toBe(200);
  await db.asset.update({ where: { id: assetId }, data: { playbackPolicy: { type: 'jwt' } } });
  expect(await status()).toBe(404);
  const publicFile = await storeExportedFile(Buffer.alloc(LEAF_BYTES + 1, 79));
  expect(publicFile.cid).toBe(cid);
  expect(await status()).toBe(200);
  await deleteAsset(owner, publicFile.assetId);
  expect(await status()).toBe(404);
  await db.asset.update({ where: { id: assetId }, data: { playbackPolicy: { type: 'public' } } });
  expect(await status()).toBe(200);
});

/** Expected values from the path gateway and trustless gateway specifications. */
describe('headers of a gateway', () => {
  const car = 'application/vnd.ipld.car';
  const block = 'application/vnd.ipld.raw';
  /** A node with two leaves. */
  const bytes = Buffer.concat([Buffer.alloc(LEAF_BYTES, 201), Buffer.from('the rest')]);
  const leaf = {
    bytes: bytes.subarray(0, LEAF_BYTES),
    cid: identifierOf(raw, bytes.subarray(0, LEAF_BYTES)),
  };
  let smallFile: Awaited<ReturnType<typeof storeExportedFile>>;
  beforeAll(async () => {
    smallFile = await storeExportedFile(bytes);
  });

  test.each<[string, string | undefined, string | null]>([
    ['nothing', undefined, null],
    ['a browser page', 'text/html,application/xhtml+xml,*/*;q=0.8', null],
    ['a block', block, 'raw'],
    ['an archive, in capitals', 'Application/Vnd.Ipld.Car; version=1; order=dfs', 'car'],
    ['the first of both', `${car}, ${block}`, 'car'],
    ['the preferred of both', `${car};q=0.5, ${block};q=0.8, */*;q=0.1`, 'raw'],
    ['neither', `${block};q=0, ${car}x`, null],
  ])('the representation that Accept selects, distinguished for caches: %s', async (_, accept, format) => {
    const { status, headers } = await request(smallFile.cid, null, accept === undefined ? {} : { accept });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      Vary: 'Accept',
      ETag: format ? `"${smallFile.cid}.${format}"` : `"${smallFile.cid}"`,
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
    const location = headers?.['Content-Location'];
    expect(location).toBe(format ? `/ipfs/${smallFile.cid}?format=${format}` : undefined);
    const namedAnswer = await request(smallFile.cid, format ?? '', { accept: 'text/html' });
    expect([namedAnswer.headers?.['ETag'], namedAnswer.headers?.['Content-Type']]).toEqual([
      headers?.['ETag'],
      headers?.['Content-Type'],
    ]);
  });

  test('the format in the URL takes precedence over the header', async () => {
    const { headers, type } = await request(smallFile.cid, 'raw', { accept: car });
    expect(type).toBe(block);
    expect(headers).not.toHaveProperty('Vary');
    expect(headers).not.toHaveProperty('Content-Location');
    const rejection = await request(smallFile.cid, 'tar');
    expect([rejection.status, rejection.body.toString()]).toEqual([
      406,
      '{"errors":["format must be raw or car."]}',
    ]);
  });

  test('unchanged content is not sent again, and the 304 has the headers that caches need', async () => {
    for (const accept of ['*/*', block, car]) {
      const { headers } = await request(smallFile.cid, null, { accept });
      const etag = String(headers?.['ETag']);
      for (const tag of [etag, `"other", W/${etag}`, '*']) {
        const notModified = await request(smallFile.cid, null, { accept, 'if-none-match': tag });
        expect([notModified.status, notModified.body.length]).toEqual([304, 0]);
        expect(notModified.headers).toMatchObject({ ETag: etag, Vary: 'Accept' });
        expect(notModified.headers?.['Content-Location']).toBe(headers?.['Content-Location']);
      }
      expect((await request(smallFile.cid, null, { accept, 'if-none-match': '"other"' })).status).toBe(200);
    }
  });

  test('files and blocks support ranges, archives do not', async () => {
    const range = 'bytes=2-5';
    const wholeAnswer = await request(smallFile.cid, 'raw');
    for (const [cid, format, from] of [
      [smallFile.cid, null, bytes],
      [smallFile.cid, 'raw', wholeAnswer.body],
      [leaf.cid, null, leaf.bytes],
      [leaf.cid, 'raw', leaf.bytes],
    ] as const) {
      const part = await request(cid, format, { range });
      expect(part).toMatchObject({ status: 206, headers: { 'Accept-Ranges': 'bytes' } });
      expect(part.headers?.['Content-Range']).toBe(`bytes 2-5/${from.length}`);
      expect(part.body.equals(from.subarray(2, 6))).toBe(true);
      expect((await request(cid, format, { range: 'bytes=999999999-' })).status).toBe(416);
    }
    expect(await request(smallFile.cid, 'car', { range })).toMatchObject({
      status: 200,
      headers: { 'Accept-Ranges': 'none' },
    });
  });

  test('the path, the root and the file name are in the headers', async () => {
    const { headers } = await request(smallFile.cid);
    expect(headers).toMatchObject({ 'X-Ipfs-Path': `/ipfs/${smallFile.cid}`, 'X-Ipfs-Roots': smallFile.cid });
    expect(headers).not.toHaveProperty('Content-Disposition');
    const getDisposition = async (format: string | null, otherParams: string) =>
      (await request(smallFile.cid, format, {}, otherParams)).headers?.['Content-Disposition'];
    expect(await getDisposition('raw', '')).toBe(`attachment; filename="${smallFile.cid}.bin"`);
    expect(await getDisposition('car', '')).toBe(`attachment; filename="${smallFile.cid}.car"`);
    expect(await getDisposition(null, 'download=true')).toBe('attachment');
    expect(await getDisposition(null, 'filename=film.mp4')).toBe('inline; filename=film.mp4');
    expect(await getDisposition('car', 'filename=a.car')).toBe('attachment; filename=a.car');
    const cyrillicName = encodeURIComponent('../тест\r\n.mp4');
    expect(await getDisposition(null, `download=true&filename=${cyrillicName}`)).toMatch(
      /^attachment; filename="[^/\r\n]*"; filename\*=UTF-8''/,
    );
  });

  test('the same digest as a version 0 identifier is the same file', async () => {
    const older = CID.parse(smallFile.cid).toV0().toString();
    expect(older).toMatch(/^Qm/);
    const { status, headers } = await request(older, 'raw');
    expect([status, headers?.['X-Ipfs-Path'], headers?.['X-Ipfs-Roots']]).toEqual([
      200,
      `/ipfs/${older}`,
      smallFile.cid,
    ]);
  });

  test('clients that probe for a gateway get an answer', async () => {
    expect(await request('bafkqaaa', 'raw')).toMatchObject({
      status: 200,
      type: block,
      body: Buffer.alloc(0),
    });
    expect((await request('bafkqaaa')).body).toHaveLength(0);
    const archive = await CarReader.fromBytes((await request('bafkqaaa', 'car')).body);
    expect((await archive.getRoots()).map(String)).toEqual(['bafkqaaa']);
  });

  test('a service worker is rejected, and `only-if-cached` gets 412 for content that is not stored here', async () => {
    expect((await request(smallFile.cid, null, { 'service-worker': 'script' })).status).toBe(400);
    const onlyCached = { 'cache-control': 'only-if-cached' };
    expect((await request(smallFile.cid, 'raw', onlyCached)).status).toBe(200);
    expect(await request(identifierOf(raw, Buffer.from('elsewhere')), 'raw', onlyCached)).toMatchObject({
      status: 412,
      body: Buffer.alloc(0),
    });
  });
});
