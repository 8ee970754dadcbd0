import { reasonOf } from '@/lib/core/reasons/reason';
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { CarReader } from '@ipld/car';
import { describe, expect, test } from 'vitest';
import { deleteAsset, exportAsset, findIpfsContent, getAsset, deleteBytes } from '@/lib/domain/assets';
import { ipfsArchiveKey, ipfsKey } from '@/lib/core/storage-keys';
import { getTask } from '@/lib/domain/tasks';
import { createServeIpfs } from '@/media-worker/delivery/origin/stored/serve-ipfs';
import { computeContentId } from './content-id';
import { exportAssetJob } from '@/media-worker/vod/import/export-asset';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { createAssetWork } from '@/media-worker/vod/tasks/testing/asset-work-setup';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';

const handlers = { import: importAssetJob, export: exportAssetJob };
const { foreign, fixtures, owner, samples, good, work, createReadyAsset } = await createAssetWork(handlers);
const { requests, base } = foreign;
const { ctx, db, storage, taskRow } = fixtures;

describe('export to IPFS', () => {
  const exportAssetTo = async (ipfs: NonNullable<Parameters<typeof exportAsset>[1]['body']['ipfs']>) => {
    const id = await createReadyAsset();
    requests.length = 0;
    const { task } = await exportAsset(owner, { id, body: { ipfs } });
    await work.drain();
    return { id, task: await getTask(owner, task.id) };
  };
  const serve = createServeIpfs({ storage, find: (cid) => findIpfsContent(ctx, cid) });
  const requestFromGateway = (url = '', headers: IncomingHttpHeaders = {}) => {
    const { pathname, searchParams } = new URL(url);
    const path = pathname.slice('/ipfs'.length);
    return serve({ path, query: searchParams, headers });
  };
  const fetchFromGateway = async (url = '') => {
    const reply = await requestFromGateway(url);
    if (reply.status !== 200) throw new Error(`answered ${reply.status}`);
    const body = reply.stream ? await buffer(await reply.stream.open()) : Buffer.concat(reply.body ?? []);
    return { type: reply.headers?.['Content-Type'], body };
  };

  test('without credentials the file stays on this node, under the identifier of its bytes', async () => {
    const { id, task } = await exportAssetTo({
      nftMetadata: { description: 'Mine', image: null, properties: { a: 1 } },
    });
    const { ipfs } = task.output?.export ?? {};
    const cid = await computeContentId([good]);
    expect(task.status.phase).toBe('completed');
    expect(ipfs).toMatchObject({ videoFileCid: cid, videoFileUrl: `ipfs://${cid}` });
    expect(await fetchFromGateway(ipfs?.videoFileGatewayUrl)).toEqual({ type: 'video/mp4', body: good });
    const metadata = await fetchFromGateway(ipfs?.nftMetadataGatewayUrl);
    expect(metadata.type).toBe('application/json');
    expect(JSON.parse(metadata.body.toString())).toMatchObject({
      name: 'Film',
      description: 'Mine',
      properties: { video: `ipfs://${cid}`, a: 1 },
    });
    expect(metadata.body.toString()).not.toContain('"image"');
    expect((await getAsset(owner, id)).storage).toMatchObject({
      ipfs: {
        cid,
        nftMetadata: { cid: ipfs?.nftMetadataCid },
        spec: { nftMetadata: { description: 'Mine' } },
      },
      status: { phase: 'ready', tasks: { last: task.id } },
    });
    await expect(fetchFromGateway('http://x/ipfs/..%2f')).rejects.toThrow('404');
    const { ipfsBytes } = await db.asset.findUniqueOrThrow({ where: { id } });
    let storedBytes = 0;
    for (const contentId of [cid, ipfs?.nftMetadataCid ?? '']) {
      for (const key of [ipfsKey(contentId), ipfsArchiveKey(contentId)])
        storedBytes += (await storage.head(key))?.bytes ?? 0;
    }
    expect(Number(ipfsBytes)).toBe(storedBytes);
    expect(storedBytes).toBeGreaterThan(good.length);
    expect(ipfs).not.toHaveProperty('notice');
  });

  test('the gateway serves verifiable formats: one block, or all blocks', async () => {
    const { task } = await exportAssetTo({});
    const {
      videoFileCid: cid = '',
      videoFileGatewayUrl: url = '',
      nftMetadataGatewayUrl: metadataUrl = '',
    } = task.output?.export?.ipfs ?? {};
    const car = await fetchFromGateway(`${url}?format=car`);
    expect(car.type).toBe('application/vnd.ipld.car; version=1; order=unk; dups=y');
    const negotiatedAnswer = await requestFromGateway(url, { accept: 'application/vnd.ipld.car; version=1' });
    expect(negotiatedAnswer.stream?.bytes).toBe(car.body.length);
    const archive = await CarReader.fromBytes(car.body);
    expect((await archive.getRoots()).map(String)).toEqual([cid]);
    const leaves: Uint8Array[] = [];
    for await (const { cid: id, bytes } of archive.blocks()) {
      if (id.code === 0x55) leaves.push(bytes);
      expect((await fetchFromGateway(`http://x/ipfs/${id.toString()}?format=raw`)).body.equals(bytes)).toBe(
        true,
      );
    }
    expect(Buffer.concat(leaves).equals(good)).toBe(true);
    const raw = await requestFromGateway(`${metadataUrl}?format=raw`);
    expect(raw.headers).toMatchObject({ 'Content-Type': 'application/vnd.ipld.raw' });
    expect(
      (await requestFromGateway(metadataUrl, { accept: 'application/vnd.ipld.raw' })).headers?.['ETag'],
    ).toBe(raw.headers?.['ETag']);
    expect(
      (
        await requestFromGateway(metadataUrl, {
          accept: 'application/vnd.ipld.raw',
          'if-none-match': String(raw.headers?.['ETag']),
        })
      ).status,
    ).toBe(304);
    const part = await requestFromGateway(url, { range: 'bytes=100-199' });
    expect(part).toMatchObject({ status: 206, headers: { 'X-Ipfs-Path': `/ipfs/${cid}` } });
    expect(part.stream && (await buffer(await part.stream.open())).equals(good.subarray(100, 200))).toBe(
      true,
    );
    expect((await requestFromGateway(`http://x/ipfs/${cid.replace(/.$/, 'x')}?format=car`)).status).toBe(404);
  });

  describe('the copy of an asset whose retention of a week is over, while the same bytes are exported again', () => {
    const size = { before: '128x72', during: '96x54' };

    /** Creates two assets with the same file. The first was exported and deleted long ago. */
    const createAssetPair = async (name: keyof typeof size) => {
      const file = readFileSync(samples.make(`${name}.mp4`, { size: size[name] }));
      foreign.answer = (_, response) => response.end(file);
      const [first, second] = [await createReadyAsset(), await createReadyAsset()];
      await exportAsset(owner, { id: first, body: { ipfs: {} } });
      await work.drain();
      await deleteAsset(owner, first);
      await db.asset.update({ where: { id: first }, data: { deletedAt: new Date(0) } });
      const { task } = await exportAsset(owner, { id: second, body: { ipfs: {} } });
      return { file, cid: await computeContentId([file]), second, taskId: task.id };
    };

    /** Expects a new identifier for the second asset in the next attempt, and none of the deleted asset. */
    const expectMadeOnceMore = async ({
      file,
      cid,
      second,
      taskId,
    }: Awaited<ReturnType<typeof createAssetPair>>) => {
      expect(await taskRow(taskId)).toMatchObject({
        phase: 'waiting',
        retries: 1,
        errorMessage: 'an older copy of the same file was being removed; it is created again',
      });
      expect(await db.asset.count({ where: { cid, bytesRemovedAt: null } })).toBe(0);
      await db.task.update({ where: { id: taskId }, data: { scheduledAt: new Date() } });
      await work.drain();
      const { storage: storedFacts } = await getAsset(owner, second);
      expect(storedFacts).toMatchObject({ status: { phase: 'ready' }, ipfs: { cid } });
      expect((await fetchFromGateway(`http://x/ipfs/${cid}`)).body.equals(file)).toBe(true);
      expect((await fetchFromGateway(`http://x/ipfs/${cid}?format=car`)).body.includes(file)).toBe(true);
    };

    test('is removed if it is stored without an identifier', async () => {
      const pair = await createAssetPair('before');
      const copy: typeof storage.copy = async (from, to) => {
        const object = await storage.copy(from, to);
        expect(await deleteBytes(ctx)).toBe(1);
        return object;
      };
      const otherRunner = createTaskRunner({ ...ctx, storage: { ...storage, copy } }, handlers);
      await otherRunner.drain();
      await otherRunner.close();
      await expectMadeOnceMore(pair);
    });

    test('is not given an identifier while it is removed', async () => {
      const pair = await createAssetPair('during');
      let whenExported: Promise<void> | undefined;
      const countWaitingLocks = async () => {
        const [row] = await db.$queryRaw<[{ count: bigint }]>`
          select count(*) from pg_locks join pg_database d on d.oid = database
          where locktype = 'advisory' and not granted and d.datname = current_database()`;
        return Number(row.count);
      };
      const remove: typeof storage.delete = async (key) => {
        if (key === ipfsArchiveKey(pair.cid)) {
          whenExported = work.drain();
          await expect.poll(countWaitingLocks, { timeout: 8_000, interval: 20 }).toBe(1);
        }
        await storage.delete(key);
      };
      expect(await deleteBytes({ ...ctx, storage: { ...storage, delete: remove } })).toBe(1);
      await whenExported;
      await expectMadeOnceMore(pair);
    });
  });

  /**
   * Exports an asset, with a node of the operator.
   * @param answerOf answer to the nth request, which may use the identifier of the file
   */
  const exportToNode = async (answerOf: (cids: readonly string[], nth: number) => string) => {
    const id = await createReadyAsset();
    requests.length = 0;
    const cids = [await computeContentId([good]), 'bafymetadata'];
    foreign.answer = (_, response) => response.end(answerOf(cids, requests.length - 1));
    const settings = { ...ctx.settings, ipfsApiUrl: base };
    const runnerWithNode = createTaskRunner({ ...ctx, settings }, handlers);
    const { task } = await exportAsset(owner, { id, body: { ipfs: {} } });
    await runnerWithNode.drain();
    await runnerWithNode.close();
    return getTask(owner, task.id);
  };

  test("the operator's node receives the file as well and must compute the same identifier", async () => {
    const files: Buffer[] = [];
    const task = await exportToNode((cids, nth) => {
      const { body } = requests[nth] ?? { body: Buffer.alloc(0) };
      const contentStart = body.indexOf('\r\n\r\n') + 4;
      files.push(body.subarray(contentStart, body.lastIndexOf('\r\n--')));
      return nth === 0
        ? `{"Name":"a","Bytes":1}\n{"Name":"a","Hash":"${cids[0]}","Size":"1"}\n`
        : '{"Hash":"bafyother"}';
    });
    expect(files[0]?.equals(good)).toBe(true);
    expect(requests[0]?.method).toBe('POST');
    expect(task.status.errorMessage).toMatch(
      /^the IPFS node calls the file bafyother, but its bytes are bafkrei/,
    );
  });

  test('a failing node is retried with the reason in the task', async () => {
    const task = await exportToNode(() => '{"Message":"no space left","Code":0}');
    expect(task.status).toMatchObject({
      phase: 'waiting',
      errorMessage: 'the IPFS node did not add the file: no space left',
    });
  });

  test.each([
    [{ jwt: 'secret-jwt' }, { authorization: 'Bearer secret-jwt' }],
    [
      { apiKey: 'secret-key', apiSecret: 'secret-secret' },
      { pinning_api_key: 'secret-key', pinning_secret_api_key: 'secret-secret' },
    ],
  ])('with credentials the file goes to the pinning service: %j', async (pinning, headers) => {
    const names = ['bafyvideovideovideovideovideo', 'bafymetadatametadatametadata'];
    let pins = 0;
    foreign.answer = (request, response) => {
      if (request.method === 'POST') response.end(JSON.stringify({ IpfsHash: names[pins++] }));
      else response.end(good);
    };
    const { task } = await exportAssetTo({ pinning });
    expect(requests.map(({ headers: { 'content-type': type } }) => type?.split(';')[0])).toEqual([
      'multipart/form-data',
      'multipart/form-data',
    ]);
    expect(requests[0]).toMatchObject({ method: 'POST', headers });
    expect(requests[0]?.headers['content-length']).toBe(String(requests[0]?.body.length));
    expect(requests[0]?.body.includes(good)).toBe(true);
    expect(requests[0]?.body.includes('{"cidVersion":1}')).toBe(true);
    expect(task.output?.export?.ipfs).toMatchObject({ videoFileCid: names[0], nftMetadataCid: names[1] });
    const ownCid = await computeContentId([good]);
    expect(task.output?.export?.ipfs?.notice).toContain(
      `calls the file ${names[0]}, and \`ipfs add --cid-version 1\` calls it ${ownCid}`,
    );
    expect(JSON.stringify(task)).not.toContain('secret-');
  });

  test("wrong credentials fail the task and show in the asset's IPFS state", async () => {
    foreign.answer = (request, response) => {
      if (request.method === 'POST') response.writeHead(401).end();
      else response.end(good);
    };
    const { id, task } = await exportAssetTo({ pinning: { jwt: 'wrong' } });
    const errorMessage = 'the pinning service answered 401';
    expect(task.status).toMatchObject({ phase: 'failed', errorMessage });
    expect((await getAsset(owner, id)).storage?.status).toEqual({
      phase: 'failed',
      errorMessage,
      errorReason: reasonOf(errorMessage),
      tasks: { failed: task.id },
    });
  });
});
