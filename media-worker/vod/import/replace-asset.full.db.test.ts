import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import {
  addTrack,
  cancelTask,
  deleteAsset,
  exportAsset,
  findReceivedUpload,
  getAsset,
  listAssets,
  locateAsset,
  deleteBytes,
  deleteOrphans,
  replaceAsset,
  restoreAsset,
  retryTask,
  updateAsset,
} from '@/lib/domain/assets';
import type { TeamContext } from '@/lib/domain/context';
import { unfinishedTaskPhases } from '@/lib/core/tasks/task-state';
import { assetPrefix } from '@/lib/core/storage-keys';
import { newId } from '@/lib/infra/ids';
import { auditStorage } from '@/lib/domain/storage-audit';
import { listTasks } from '@/lib/domain/tasks';
import { createServeAsset } from '@/media-worker/delivery/origin/stored/serve-asset';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';
import { createServeTracks } from '@/media-worker/delivery/origin/stored/serve-tracks';
import { createAssetWork } from '@/media-worker/vod/tasks/testing/asset-work-setup';
import { makeDueStoryboards, createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { acceptUpload } from '@/media-worker/delivery/uploads/accept-upload';
import { exportAssetJob } from './export-asset';
import { importAssetJob } from './import-asset';

const handlers = { import: importAssetJob, export: exportAssetJob };
const { foreign, fixtures, owner, good, samples, work, createReadyAsset } = await createAssetWork(handlers);
const { ctx, db, storage, assetRow, taskRow } = fixtures;
const newPath = samples.make('new.mp4', { seconds: 6, size: '192x108' });
const newBytes = readFileSync(newPath);

const HOUR = 3_600_000;
const contextAfter = (hours: number) => ({
  ...ctx,
  clock: { ...ctx.clock, now: () => new Date(Date.now() + hours * HOUR) },
});
const storedKeys = async (prefix: string) => {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys;
};

/** Makes the remote server serve the new file. */
const serveNewFile = () => (foreign.answer = (_, response) => response.end(newBytes));
const replaceByUrl = (id: string, path = `/${newId()}.mp4`) =>
  replaceAsset(owner, { id, url: `${foreign.base}${path}` });

/** Sends a request of a viewer to a new origin, which has nothing cached. */
async function requestFile(playbackId: string, file: string, headers = {}) {
  const segmentReads = createIndexedReads(storage);
  const serve = createServeAsset({
    storage: segmentReads,
    tracks: createServeTracks({ storage: segmentReads, readText: () => Promise.resolve('WEBVTT') }),
    locate: (id) => locateAsset(ctx, id),
  });
  const answer = await serve({ path: `/${playbackId}/${file}`, download: false, headers });
  const { stream, body = [] } = answer;
  const bytes = stream ? await buffer(await stream.open()) : Buffer.concat([...body]);
  return { status: answer.status, headers: answer.headers ?? {}, bytes, text: bytes.toString() };
}

/** The media URIs of a playlist. */
const urisIn = (playlist: string) =>
  playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('viewers get the old file until the new one is ready, and the URLs of the two never mix', async () => {
  const id = await createReadyAsset();
  await makeDueStoryboards(ctx);
  const assetBefore = await updateAsset(owner, { id, change: { tags: ['river'], posterTime: 3.5 } });
  const { playbackId } = assetBefore;
  await addTrack(owner, {
    id,
    track: { language: 'de', body: 'WEBVTT\n\n00:00.000 --> 00:01.000\nDie Quelle\n' },
  });
  const oldPlaylist = await requestFile(playbackId, 'source/index.m3u8');
  const oldName = `source/${urisIn(oldPlaylist.text)[0] ?? ''}`;
  const [oldMaster, oldSegment, oldSheet] = [
    await requestFile(playbackId, 'index.m3u8'),
    await requestFile(playbackId, oldName),
    await requestFile(playbackId, 'storyboard-1.jpg'),
  ];
  expect(urisIn(oldMaster.text)).toEqual(['source/index.m3u8']);
  expect(oldSegment.headers).toMatchObject({
    'Cache-Control': expect.stringContaining('immutable') as string,
  });
  expect(oldSheet.status).toBe(200);

  serveNewFile();
  const { asset, task, url } = await replaceByUrl(id);
  expect(url).toBeUndefined();
  expect(asset).toMatchObject({ id, playbackId, size: good.length, status: { phase: 'ready' } });
  expect(task).toMatchObject({ type: 'import', outputAssetId: id, params: { import: { replace: true } } });
  const taskPage = await listTasks(owner, { filters: JSON.stringify([{ id: 'outputAssetId', value: id }]) });
  expect(taskPage.items.map((item) => item.id)).toContain(task.id);
  expect((await listAssets(owner, {})).items.map((item) => item.id)).toEqual([id]);
  expect((await requestFile(playbackId, 'source')).bytes.equals(good)).toBe(true);

  await work.drain();
  const assetAfter = await getAsset(owner, id);
  expect(assetAfter).toMatchObject({
    id,
    playbackId,
    name: assetBefore.name,
    tags: ['river'],
    posterTime: 3.5,
  });
  expect(assetAfter).toMatchObject({ size: newBytes.length, videoSpec: { tracks: [{ width: 192 }, {}] } });
  expect(assetAfter.hash).not.toEqual(assetBefore.hash);
  expect((await requestFile(playbackId, 'source')).bytes.equals(newBytes)).toBe(true);

  const master = await requestFile(playbackId, 'index.m3u8');
  expect(urisIn(master.text)).toEqual(['v1/source/index.m3u8']);
  expect(master.text).toContain('URI="tracks/');
  expect(master.text).toContain('RESOLUTION=192x108');
  const [newFile = ''] = urisIn((await requestFile(playbackId, 'v1/source/index.m3u8')).text);
  expect(newFile).toMatch(/^[0-9a-f]{12}-000000\.m4s$/);
  const newName = `v1/source/${newFile}`;
  const segment = await requestFile(playbackId, newName);
  expect(segment.status).toBe(200);
  expect(segment.bytes.equals(oldSegment.bytes)).toBe(false);
  // Viewers of the old file continue with the URLs of their cached playlists.
  expect((await requestFile(playbackId, 'source/index.m3u8')).text).toBe(oldPlaylist.text);
  expect((await requestFile(playbackId, oldName)).bytes.equals(oldSegment.bytes)).toBe(true);
  expect((await requestFile(playbackId, `v2/source/${newFile}`)).status).toBe(404);
  // Neither version serves files of the other, even when both are stored.
  expect((await requestFile(playbackId, `source/${newFile}`)).status).toBe(404);
  expect((await requestFile(playbackId, `v1/${oldName}`)).status).toBe(404);

  expect((await requestFile(playbackId, 'storyboard.vtt')).status).toBe(404);
  await makeDueStoryboards(ctx);
  expect((await requestFile(playbackId, 'storyboard.vtt')).text).toContain('\nv1/storyboard-1.jpg#');
  expect((await requestFile(playbackId, 'storyboard-1.jpg')).bytes.equals(oldSheet.bytes)).toBe(true);
  expect((await requestFile(playbackId, 'v1/storyboard-1.jpg')).bytes.equals(oldSheet.bytes)).toBe(false);

  // A player of the MP4 that requests the rest of the old file gets the new one from its beginning.
  const rangeHeaders = { range: 'bytes=1000-', 'if-range': '"of the file before"' };
  expect((await requestFile(playbackId, 'video', rangeHeaders)).status).toBe(200);
  expect(await auditStorage(ctx)).toEqual({ unowned: [], missing: [] });

  await deleteOrphans(contextAfter(48));
  await deleteBytes(contextAfter(23));
  expect((await requestFile(playbackId, oldName)).status).toBe(200);
  await deleteBytes(contextAfter(25));
  expect((await requestFile(playbackId, oldName)).status).toBe(404);
  expect(await storedKeys(assetPrefix(id))).toEqual([]);
  await deleteOrphans(contextAfter(48));
  expect((await requestFile(playbackId, newName)).bytes.equals(segment.bytes)).toBe(true);
  expect((await requestFile(playbackId, 'source')).bytes.equals(newBytes)).toBe(true);
  expect(await auditStorage(ctx)).toEqual({ unowned: [], missing: [] });

  // The asset is replaced a second time, by an upload.
  const nextReplacement = await replaceAsset(owner, { id });
  expect(nextReplacement.tusEndpoint).toContain('/api/asset/upload/tus?token=');
  await uploadTo(nextReplacement.task.id, samples.make('third.mp4', { seconds: 3, size: '128x72' }));
  await work.drain();
  expect(urisIn((await requestFile(playbackId, 'index.m3u8')).text)).toEqual(['v2/source/index.m3u8']);
  expect((await requestFile(playbackId, newName)).bytes.equals(segment.bytes)).toBe(true);
  const third = await getAsset(owner, id);
  // A client that missed the answer to its last byte asks for the offset.
  const { outputAssetId } = await taskRow(nextReplacement.task.id);
  expect(await findReceivedUpload(ctx, outputAssetId ?? '')).toEqual({ bytes: third.size });
  expect(third.source).toEqual({ type: 'directUpload' });
  expect(third.posterTime).toBeUndefined();
  await deleteAsset(owner, id);
  await deleteBytes(contextAfter(24 * 8));
  for (const folder of ['asset/', 'rendition/', 'directUpload/'])
    expect(await storedKeys(folder)).toEqual([]);
});

/**
 * Completes an upload with this file.
 * @returns the reason for a rejection, or null
 */
async function uploadTo(taskId: string, path: string): Promise<string | null> {
  const { outputAssetId } = await taskRow(taskId);
  if (outputAssetId === null) throw new Error('the task has an output');
  const leaseId = newId();
  await db.asset.update({ where: { id: outputAssetId }, data: { phase: 'uploading', uploadLease: leaseId } });
  const { playbackId } = await assetRow(outputAssetId);
  const bytes = readFileSync(path).length;
  return acceptUpload(ctx, { assetId: outputAssetId, leaseId }, { playbackId, path, bytes, hashes: null });
}

const eventsOf = async (id: string) =>
  (
    await db.event.findMany({
      where: { payload: { path: ['payload', 'asset', 'id'], equals: id } },
      orderBy: { createdAt: 'asc' },
    })
  ).map(({ name }) => name);

describe('an asset keeps its file', () => {
  const expectUnchanged = async (id: string) => {
    const { playbackId } = await assetRow(id);
    expect(await getAsset(owner, id)).toMatchObject({ size: good.length, status: { phase: 'ready' } });
    expect((await requestFile(playbackId, 'source')).bytes.equals(good)).toBe(true);
    expect(urisIn((await requestFile(playbackId, 'index.m3u8')).text)).toEqual(['source/index.m3u8']);
  };

  test.each([
    ['is rejected', (r: ServerResponse) => r.end('<html>'), 'is a web page (HTML)'],
    ['cannot be downloaded', (r: ServerResponse) => r.writeHead(404).end(), 'answered 404'],
  ])('when the replacement %s, and the task has the reason', async (_, answer, why) => {
    const id = await createReadyAsset();
    foreign.answer = (_request, response) => answer(response);
    const { task } = await replaceByUrl(id);
    await work.drain();
    expect(await taskRow(task.id)).toMatchObject({
      phase: 'failed',
      errorMessage: expect.stringContaining(why) as string,
    });
    await expectUnchanged(id);
  });

  test('until a failed replacement is retried', async () => {
    const id = await createReadyAsset();
    foreign.answer = (_, response) => response.writeHead(404).end();
    const { task } = await replaceByUrl(id);
    await work.drain();
    await expectUnchanged(id);
    expect(await eventsOf(id)).not.toContain('asset.failed');
    serveNewFile();
    const retriedTask = await retryTask(owner, task.id);
    expect(retriedTask).toMatchObject({ outputAssetId: id, params: { import: { replace: true } } });
    await work.drain();
    expect(await getAsset(owner, id)).toMatchObject({ size: newBytes.length });
    expect((await eventsOf(id)).at(-1)).toBe('asset.updated');
  });

  test('when an uploaded file is rejected', async () => {
    const id = await createReadyAsset();
    const { task } = await replaceAsset(owner, { id });
    const audio = samples.make('new.mp3', { video: ['-vn'], audio: ['-c:a', 'libmp3lame'] });
    expect(await uploadTo(task.id, audio)).toBe('the container is MP3; MP4 is accepted');
    expect(await taskRow(task.id)).toMatchObject({ phase: 'failed' });
    await expectUnchanged(id);
  });

  test('when its task is cancelled', async () => {
    const id = await createReadyAsset();
    serveNewFile();
    const { task } = await replaceByUrl(id);
    await cancelTask(owner, task.id);
    await work.drain();
    await expectUnchanged(id);
    await replaceByUrl(id);
    await work.drain();
    expect(await getAsset(owner, id)).toMatchObject({ size: newBytes.length });
  });

  test('when it was deleted and restored meanwhile', async () => {
    const id = await createReadyAsset();
    serveNewFile();
    const { task } = await replaceByUrl(id);
    await deleteAsset(owner, id);
    expect(await taskRow(task.id)).toMatchObject({ phase: 'cancelled' });
    await work.drain();
    await restoreAsset(owner, id);
    await expectUnchanged(id);
  });
});

test('an export requested before the replacement sends the old file', async () => {
  const id = await createReadyAsset();
  const url = `${foreign.base}/received`;
  const chunks: Buffer[] = [];
  foreign.answer = (request, response) => {
    if (request.url === '/received') chunks.push(foreign.requests.at(-1)?.body ?? Buffer.alloc(0));
    response.end(request.url === '/received' ? '' : newBytes);
  };
  const { task } = await exportAsset(owner, { id, body: { custom: { url } } });
  await db.task.update({ where: { id: task.id }, data: { scheduledAt: new Date(Date.now() + HOUR) } });
  await replaceByUrl(id);
  await work.drain();
  expect(await getAsset(owner, id)).toMatchObject({ size: newBytes.length });
  // The old files are kept as long as the export needs them.
  await deleteBytes(contextAfter(30));
  await db.task.update({ where: { id: task.id }, data: { scheduledAt: new Date() } });
  await work.drain();
  expect(await taskRow(task.id)).toMatchObject({ phase: 'completed' });
  expect(chunks.map((body) => body.equals(good))).toEqual([true]);
});

test("chapters are read from the new file, and the owner's chapters are kept up to its duration", async () => {
  const [ownId, derivedId] = [await createReadyAsset(), await createReadyAsset()];
  const chapters = [
    { start: 0, title: 'A' },
    { start: 2, title: 'B' },
    { start: 3.5, title: 'C' },
  ];
  await updateAsset(owner, { id: ownId, change: { chapters } });
  await db.asset.update({ where: { id: derivedId }, data: { chapters, chaptersOfFile: true } });
  const short = readFileSync(samples.make('short.mp4', { seconds: 3 }));
  foreign.answer = (_, response) => response.end(short);
  await replaceByUrl(ownId);
  await replaceByUrl(derivedId);
  await work.drain();
  expect((await getAsset(owner, ownId)).chapters).toEqual(chapters.slice(0, 2));
  expect((await getAsset(owner, derivedId)).chapters).toBeUndefined();
});

describe('a replacement is rejected with a message', () => {
  const rejectionOf = (id: string, by: TeamContext = owner) =>
    replaceAsset(by, { id }).then(
      () => null,
      (error: unknown) => error,
    );

  test('for a recording, a deleted asset, one that is not ready, one of another team, and during a replacement', async () => {
    const id = await createReadyAsset();
    await replaceAsset(owner, { id });
    expect(await rejectionOf(id)).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('in progress') as string,
    });
    const recording = await createReadyAsset();
    await db.asset.update({ where: { id: recording }, data: { sourceType: 'recording' } });
    expect(await rejectionOf(recording)).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('recording') as string,
    });
    const deletedId = await createReadyAsset();
    await deleteAsset(owner, deletedId);
    expect(await rejectionOf(deletedId)).toMatchObject({ code: 'not_found' });
    const { assetId } = await fixtures.createUpload(owner);
    expect(await rejectionOf(assetId)).toMatchObject({ code: 'precondition_failed' });
    expect(await rejectionOf(recording, await fixtures.createTeamContext())).toMatchObject({
      code: 'not_found',
    });
  });

  test('for the row of the new file, which no other function finds as an asset either', async () => {
    const id = await createReadyAsset();
    const { task } = await replaceAsset(owner, { id });
    const hiddenId = (await taskRow(task.id)).outputAssetId ?? '';
    expect(await rejectionOf(hiddenId)).toMatchObject({ code: 'not_found' });
    for (const request of [
      () => getAsset(owner, hiddenId),
      () => updateAsset(owner, { id: hiddenId, change: { name: 'x' } }),
      () => deleteAsset(owner, hiddenId),
    ])
      await expect(request()).rejects.toMatchObject({ code: 'not_found' });
    expect(await eventsOf(hiddenId)).toEqual([]);
  });
});

test('a worker that dies at any step leaves either the old file or the new one', async () => {
  const id = await createReadyAsset();
  serveNewFile();
  const { task } = await replaceByUrl(id);
  const { playbackId } = await assetRow(id);
  // Each run fails one step later than the previous one; the last one succeeds.
  for (let steps = 0; steps < 40; steps++) {
    let stepsLeft = steps;
    const dying = {
      ...ctx,
      storage: new Proxy(storage, {
        get: (target, name: keyof typeof storage) => {
          const member = target[name] as unknown;
          if (typeof member !== 'function') return member;
          return (...args: unknown[]) => {
            if (stepsLeft-- <= 0) throw new Error('the process dies');
            return (member as (...parameters: unknown[]) => unknown).apply(target, args);
          };
        },
      }),
    };
    const { attempt, phase, lane } = await taskRow(task.id);
    if (!(unfinishedTaskPhases as readonly string[]).includes(phase)) break;
    await db.task.update({ where: { id: task.id }, data: { scheduledAt: new Date() } });
    const runner = createTaskRunner(dying, handlers);
    await runner.run(lane as 'local', { taskId: task.id, attempt });
    await runner.close();
    const { size } = await getAsset(owner, id);
    const wholeFile = (await requestFile(playbackId, 'source')).bytes;
    expect(wholeFile.length).toBe(size);
    expect(wholeFile.equals(good) || wholeFile.equals(newBytes)).toBe(true);
    const [media = ''] = urisIn((await requestFile(playbackId, 'index.m3u8')).text);
    for (const name of urisIn((await requestFile(playbackId, media)).text))
      expect((await requestFile(playbackId, media.replace('index.m3u8', name))).status).toBe(200);
  }
  expect(await taskRow(task.id)).toMatchObject({ phase: 'completed' });
  expect(await getAsset(owner, id)).toMatchObject({ size: newBytes.length });
});
