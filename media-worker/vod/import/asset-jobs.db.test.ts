import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import {
  createClip,
  exportAsset,
  findIpfsContent,
  getAsset,
  importAsset,
  listTracks,
  locateAsset,
  replaceAsset,
  transcodeAsset,
  transcribeAsset,
} from '@/lib/domain/assets';
import { assetKey } from '@/lib/core/storage-keys';
import { getTask } from '@/lib/domain/tasks';
import { createServeAsset } from '@/media-worker/delivery/origin/stored/serve-asset';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';
import { createServeIpfs } from '@/media-worker/delivery/origin/stored/serve-ipfs';
import { computeContentId } from '@/media-worker/vod/ipfs/content-id';
import { frameChecksums } from '@/media-worker/recording/testing/recorded-session';
import { createRecogniser } from '@/media-worker/vod/speech/run-recogniser';
import { createAssetWork } from '@/media-worker/vod/tasks/testing/asset-work-setup';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { exportAssetJob } from './export-asset';
import { importAssetJob } from './import-asset';
import { clipJob } from './make-clip';
import { transcodeAssetJob } from './transcode-asset';
import { transcribeAssetJob } from './transcribe-asset';

/**
 * This file tests one success and one failure of each asset job. The `.full.` test file of a job tests all other
 * cases.
 */
const { foreign, fixtures, owner, samples, good, work, createReadyAsset } = await createAssetWork({
  import: importAssetJob,
  export: exportAssetJob,
  transcode: transcodeAssetJob,
  clip: clipJob,
});
const { ctx, db, storage, taskRow, assetRow } = fixtures;
const { base, requests } = foreign;
/** Sends a request of a viewer to a new origin, which has nothing cached. */
async function requestFile(playbackId: string, file: string) {
  const serve = createServeAsset({
    storage: createIndexedReads(storage),
    locate: (id) => locateAsset(ctx, id),
  });
  const answer = await serve({ path: `/${playbackId}/${file}`, download: false, headers: {} });
  const { status, stream, body = [] } = answer;
  return { status, body: stream ? await buffer(await stream.open()) : Buffer.concat([...body]) };
}
const urisIn = async (playbackId: string, file: string) =>
  (await requestFile(playbackId, file)).body
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** An imported asset that no test changes. */
let sourceAsset: { id: string; playbackId: string };
beforeAll(async () => {
  foreign.answer = (_, response) => response.end(good);
  const id = await createReadyAsset();
  sourceAsset = { id, playbackId: (await assetRow(id)).playbackId };
});

test('a file from a URL becomes a playable asset', async () => {
  const { id, playbackId } = sourceAsset;
  expect(await getAsset(owner, id)).toMatchObject({
    status: { phase: 'ready', progress: 1 },
    size: good.length,
    videoSpec: { tracks: [{ type: 'video', width: 320, height: 180 }, { type: 'audio' }] },
  });
  expect((await requestFile(playbackId, 'source')).body.equals(good)).toBe(true);
  expect(await urisIn(playbackId, 'index.m3u8')).toEqual(['source/index.m3u8']);
  const segments = await urisIn(playbackId, 'source/index.m3u8');
  const [, init = ''] =
    /URI="(.+)"/.exec((await requestFile(playbackId, 'source/index.m3u8')).body.toString()) ?? [];
  const parts = [init, ...segments].map((name) => requestFile(playbackId, `source/${name}`));
  const path = samples.path('played.mp4');
  writeFileSync(path, Buffer.concat((await Promise.all(parts)).map(({ body }) => body)));
  expect(await frameChecksums(path, 'v')).toEqual(await frameChecksums(samples.path('good.mp4'), 'v'));
  expect((await requestFile(playbackId, 'poster.jpg')).body.subarray(0, 2).toString('hex')).toBe('ffd8');
  expect((await requestFile(playbackId, 'metadata.json')).status).toBe(404);
  const events = await db.event.findMany({
    where: { payload: { path: ['payload', 'asset', 'id'], equals: id } },
    orderBy: { createdAt: 'asc' },
  });
  expect(events.map(({ name }) => name)).toEqual(['asset.created', 'asset.updated', 'asset.ready']);
});

test.each([
  ['answers 404', 404, '', 'the file could not be downloaded: its server answered 404'],
  ['is a web page', 200, '<html>', 'the file is a web page (HTML), not a video'],
])('an import that %s fails with the reason', async (_, status, text, errorMessage) => {
  foreign.answer = (_request, response) => response.writeHead(status).end(text);
  const { asset, task } = await importAsset(owner, { url: `${base}/${status}`, name: 'Film' });
  await work.drain();
  expect(await taskRow(task.id)).toMatchObject({ phase: 'failed', errorMessage });
  expect(await assetRow(asset.id)).toMatchObject({ phase: 'failed', errorMessage });
});

test('a transcode creates an asset with the requested profile', async () => {
  const profile = { name: '90p', width: 160, height: 90, bitrate: 200_000, fps: 5 };
  const { asset } = await transcodeAsset(owner, { assetId: sourceAsset.id, profile });
  await work.drain();
  const transcodedAsset = await getAsset(owner, asset.id);
  expect(transcodedAsset).toMatchObject({ status: { phase: 'ready' }, sourceAssetId: sourceAsset.id });
  expect(transcodedAsset.videoSpec?.tracks[0]).toMatchObject({
    codec: 'h264',
    width: 160,
    height: 90,
    fps: 5,
  });
  await db.asset.update({ where: { id: asset.id }, data: { bytesRemovedAt: new Date() } });
  const deletedResult = await transcodeAsset(owner, { assetId: asset.id, profile });
  await work.drain();
  const errorMessage = 'the asset to transcode is gone';
  expect(await assetRow(deletedResult.asset.id)).toMatchObject({ phase: 'failed', errorMessage });
});

test('an export sends the file; status 403 is final, status 500 is retried', async () => {
  const send = async (status: number) => {
    requests.length = 0;
    foreign.answer = (_, response) => response.writeHead(status).end();
    const custom = { url: `${base}/sink?key=secret1`, headers: { Authorization: 'Bearer secret2' } };
    const { task } = await exportAsset(owner, { id: sourceAsset.id, body: { custom } });
    await work.drain();
    expect(requests[0]?.headers).toMatchObject({
      authorization: 'Bearer secret2',
      'content-type': 'video/mp4',
    });
    expect(requests.map(({ body }) => body.equals(good))).toEqual([true]);
    const taskView = await getTask(owner, task.id);
    expect(JSON.stringify(taskView)).not.toMatch(/secret[12]/);
    return taskRow(task.id);
  };
  expect(await send(200)).toMatchObject({ phase: 'completed', retries: 0 });
  expect(await send(403)).toMatchObject({ phase: 'failed', errorMessage: 'the destination answered 403' });
  expect(await send(500)).toMatchObject({ phase: 'waiting', retries: 1, failedAttempts: 1 });
});

test('an export to IPFS is stored under the identifier of its bytes; a service that rejects it fails it', async () => {
  const send = async (ipfs: NonNullable<Parameters<typeof exportAsset>[1]['body']['ipfs']>) => {
    const { task } = await exportAsset(owner, { id: sourceAsset.id, body: { ipfs } });
    await work.drain();
    return getTask(owner, task.id);
  };
  const cid = await computeContentId([good]);
  const keptTask = await send({});
  expect(keptTask.output?.export?.ipfs).toMatchObject({ videoFileCid: cid, videoFileUrl: `ipfs://${cid}` });
  const gateway = createServeIpfs({ storage, find: (id) => findIpfsContent(ctx, id) });
  const query = new URLSearchParams();
  const answer = await gateway({ path: `/${cid}`, query, headers: {} });
  expect(answer.stream && (await buffer(await answer.stream.open())).equals(good)).toBe(true);
  expect(
    (await gateway({ path: `/${await computeContentId([Buffer.from('x')])}`, query, headers: {} })).status,
  ).toBe(404);
  foreign.answer = (_, response) => response.writeHead(401).end();
  const rejectedTask = await send({ pinning: { jwt: 'secret' } });
  const errorMessage = 'the pinning service answered 401';
  expect(rejectedTask.status).toMatchObject({ phase: 'failed', errorMessage });
  expect(JSON.stringify(rejectedTask)).not.toContain('secret');
});

test('a clip starts with exactly the frame at its start', async () => {
  const { asset } = await createClip(owner, {
    playbackId: sourceAsset.playbackId,
    startTime: 1_500,
    endTime: 3_000,
    name: 'Half time',
  });
  await work.drain();
  expect(await getAsset(owner, asset.id)).toMatchObject({
    name: 'Half time',
    status: { phase: 'ready' },
    source: { type: 'clip', playbackId: sourceAsset.playbackId },
  });
  const allFrames = await frameChecksums(samples.path('good.mp4'), 'v');
  const clipFrames = await storage.withFile(assetKey(asset.id, 'source.mp4'), (path) =>
    frameChecksums(path, 'v'),
  );
  expect(clipFrames.slice(0, 15)).toEqual(allFrames.slice(15, 30));
  expect(clipFrames.length).toBeLessThanOrEqual(18);
});

test('a failed replacement changes nothing; viewers get the old file until the new one is ready', async () => {
  const id = await createReadyAsset();
  const { playbackId } = await assetRow(id);
  foreign.answer = (_, response) => response.end('<html>');
  const failure = await replaceAsset(owner, { id, url: `${base}/page` });
  await work.drain();
  expect(await taskRow(failure.task.id)).toMatchObject({ phase: 'failed' });
  expect(await getAsset(owner, id)).toMatchObject({ size: good.length, status: { phase: 'ready' } });

  const [oldName = ''] = await urisIn(playbackId, 'source/index.m3u8');
  const short = samples.make('short.mp4');
  const bytes = readFileSync(short);
  foreign.answer = (_, response) => response.end(bytes);
  await replaceAsset(owner, { id, url: `${base}/short.mp4` });
  expect((await requestFile(playbackId, 'source')).body.equals(good)).toBe(true);
  await work.drain();
  expect((await requestFile(playbackId, 'source')).body.equals(bytes)).toBe(true);
  expect(await urisIn(playbackId, 'index.m3u8')).toEqual(['v1/source/index.m3u8']);
  // Viewers of the old file can continue.
  expect((await requestFile(playbackId, `source/${oldName}`)).status).toBe(200);
});

test('speech becomes subtitles; a file without speech fails the task with the reason', async () => {
  const modelDir = samples.path('scripted');
  mkdirSync(modelDir);
  const scriptAnswers = (answers: readonly object[]) =>
    writeFileSync(
      join(modelDir, 'script.json'),
      JSON.stringify({ answers: [{ type: 'loaded' }, ...answers], end: 'done' }),
    );
  const settings = { ...ctx.settings, speech: { modelDir, languages: ['en'] } };
  const scriptedRecogniser = createRecogniser(
    join(import.meta.dirname, '..', 'speech', 'testing', 'scripted-recogniser.mjs'),
  );
  const transcriptions = createTaskRunner(
    { ...ctx, settings },
    { transcribe: transcribeAssetJob(scriptedRecogniser) },
  );
  const transcribe = async () => {
    const request = { id: sourceAsset.id, body: { language: 'en' } };
    const { task } = await transcribeAsset({ ...owner, settings }, request);
    await transcriptions.drain();
    return (await getTask(owner, task.id)).status;
  };
  scriptAnswers([]);
  const errorMessage = 'no speech was found in this asset';
  expect(await transcribe()).toMatchObject({ phase: 'failed', errorMessage });
  scriptAnswers([{ type: 'utterance', startMs: 200, endMs: 1_700, text: 'Good evening.', words: [] }]);
  expect(await transcribe()).toMatchObject({ phase: 'completed' });
  await transcriptions.close();
  const label = 'English (auto)';
  expect(await listTracks(owner, sourceAsset.id)).toMatchObject([
    { kind: 'subtitles', label, generated: true },
  ]);
});
