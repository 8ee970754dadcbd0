import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { CID } from 'multiformats/cid';
import { create as digestOf } from 'multiformats/hashes/digest';
import { beforeAll, expect, test, vi } from 'vitest';
import {
  deleteAsset,
  findIpfsContent,
  keepIpfsBlocks,
  removeBytes,
  removeOrphans,
  restoreAsset,
} from '@/lib/assets';
import { ipfsArchiveKey, ipfsKey } from '@/lib/core/storage-keys';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { workerFixtures } from '../testing/worker-fixtures';
import { archiveHead } from '../vod/content-archive';
import { contentBlocks } from '../vod/content-blocks';
import { contentTree, leafBytes } from '../vod/content-id';
import { createServeIpfs } from './serve-ipfs';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const fixtures = workerFixtures(await testDatabase());
const { ctx, db, storage, upload } = fixtures;
const owner = await fixtures.person();
const serve = createServeIpfs({ storage, find: (cid) => findIpfsContent(ctx, cid) });

async function ask(cid: string, format: string | null = null) {
  const answer = await serve({ path: `/${cid}`, format, headers: {} });
  const body = answer.stream ? await buffer(await answer.stream.open()) : Buffer.concat(answer.body ?? []);
  return { status: answer.status, type: answer.headers?.['Content-Type'], body };
}

/** As a stranger computes it. */
const identifierOf = (codec: number, block: Uint8Array): string =>
  CID.createV1(codec, digestOf(0x12, createHash('sha256').update(block).digest())).toString();
const [raw, dagPb] = [0x55, 0x70];

/** Enough leaves for nodes between them and the root; no two alike, and the last one is shorter. */
const leaves = Array.from({ length: 177 }, (_, n) => Buffer.alloc(n === 176 ? 1_000 : leafBytes, n));
const file = Buffer.concat(leaves);

/** What an export leaves behind. */
async function kept(bytes: Buffer) {
  const { assetId } = await upload(owner);
  const tree = await contentTree([bytes]);
  const cid = tree.root.toString();
  const head = await archiveHead(tree);
  await storage.put(ipfsArchiveKey(cid), head);
  await storage.put(ipfsKey(cid), bytes);
  await keepIpfsBlocks(ctx, cid, contentBlocks(head, bytes.length));
  await db.asset.update({ where: { id: assetId }, data: { cid, phase: 'ready' } });
  return { assetId, cid, nodes: tree.nodes };
}
let copy: Awaited<ReturnType<typeof kept>>;
beforeAll(async () => {
  copy = await kept(file);
});

test('each leaf is found by its own identifier, with and without its codec asked for', async () => {
  for (const n of [0, 1, 173, 174, 176]) {
    const leaf = leaves[n] ?? Buffer.alloc(0);
    const cid = identifierOf(raw, leaf);
    for (const [format, type] of [
      [null, 'application/octet-stream'],
      ['raw', 'application/vnd.ipld.raw'],
    ] as const) {
      const answer = await ask(cid, format);
      expect(answer).toMatchObject({ status: 200, type });
      expect(answer.body.equals(leaf)).toBe(true);
    }
    // The same digest under another codec is another thing, which is not here.
    expect((await ask(identifierOf(dagPb, leaf))).status).toBe(404);
  }
});

test('a node in the middle is its block, or the bytes below it; the root stays the file', async () => {
  const inner = copy.nodes.filter(({ cid }) => cid.toString() !== copy.cid);
  expect(inner).toHaveLength(2);
  for (const { cid, bytes } of inner) {
    const block = await ask(cid.toString(), 'raw');
    expect(block.body.equals(bytes)).toBe(true);
    expect(identifierOf(dagPb, block.body)).toBe(cid.toString());
    expect((await ask(cid.toString(), 'car')).status).toBe(406);
  }
  const below = await Promise.all(inner.map(({ cid }) => ask(cid.toString())));
  const first = below.find(({ body }) => body.length === 174 * leafBytes);
  const rest = below.find(({ body }) => body.length < 174 * leafBytes);
  expect(Buffer.concat([first?.body ?? Buffer.alloc(0), rest?.body ?? Buffer.alloc(0)]).equals(file)).toBe(
    true,
  );
  expect((await ask(copy.cid)).body.equals(file)).toBe(true);
  expect(identifierOf(dagPb, (await ask(copy.cid, 'raw')).body)).toBe(copy.cid);
});

test('what nobody has is not found, nor what is no identifier', async () => {
  expect((await ask(identifierOf(raw, Buffer.from('never stored')))).status).toBe(404);
  expect((await ask(`b${'a'.repeat(58)}`)).status).toBe(404);
  expect((await ask('../etc/passwd')).status).toBe(404);
});

test('deleted it is gone at once, with its blocks; restored it is back; a shared block stays with the other', async () => {
  const [shared, own] = [leaves[3] ?? Buffer.alloc(0), leaves[4] ?? Buffer.alloc(0)];
  const other = await kept(Buffer.concat([shared, Buffer.alloc(10, 250)]));
  const all = async () =>
    Promise.all(
      [copy.cid, identifierOf(raw, shared), identifierOf(raw, own), other.cid].map(
        async (cid) => (await ask(cid)).status,
      ),
    );
  expect(await all()).toEqual([200, 200, 200, 200]);
  await deleteAsset(owner, copy.assetId);
  expect(await all()).toEqual([404, 200, 404, 200]);
  await deleteAsset(owner, other.assetId);
  expect(await all()).toEqual([404, 404, 404, 404]);
  await restoreAsset(owner, copy.assetId);
  expect(await all()).toEqual([200, 200, 200, 404]);
});

test('when a copy is removed, nothing is written down about it any more', async () => {
  const [removed, swept] = [
    await kept(Buffer.alloc(leafBytes + 1, 77)),
    await kept(Buffer.alloc(leafBytes + 1, 78)),
  ];
  const rowsOf = ({ cid }: typeof removed) => db.ipfsBlock.count({ where: { root: cid } });
  expect([await rowsOf(removed), await rowsOf(swept)]).toEqual([3, 3]);
  await deleteAsset(owner, removed.assetId);
  await db.asset.update({ where: { id: removed.assetId }, data: { deletedAt: new Date(0) } });
  await db.task.updateMany({ data: { phase: 'completed' } });
  await removeBytes(ctx);
  await db.asset.update({ where: { id: swept.assetId }, data: { cid: null } });
  const later = { now: () => new Date(Date.now() + 2 * 24 * 3_600_000), monotonic: () => 0 };
  await removeOrphans({ ...ctx, clock: later });
  expect([await rowsOf(removed), await rowsOf(swept)]).toEqual([0, 0]);
  expect(await storage.head(ipfsKey(swept.cid))).toBeNull();
  expect(await rowsOf(copy)).toBe(180);
});
