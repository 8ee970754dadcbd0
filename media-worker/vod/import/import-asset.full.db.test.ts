import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parse, type types as hlsTypes } from 'hls-parser';
import { afterAll, describe, expect, test } from 'vitest';
import { createRecordingAsset, deleteAsset, getAsset, locateAsset, retryTask } from '@/lib/domain/assets';
import { assetKey } from '@/lib/core/storage-keys';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { findPlayback } from '@/lib/domain/streams';
import { createServeAsset, type AssetRequest } from '@/media-worker/delivery/origin/stored/serve-asset';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';
import { writeIndexedHls } from '@/media-worker/vod/index/testing/write-hls';
import { createSampleFiles, type SampleOptions } from '@/media-worker/vod/testing/sample-files';
import { importAssetJob } from './import-asset';
import { scratchFolder } from '@/media-worker/vod/tasks/task-runs';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { makeDueStoryboards, createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, db, storage, dataDir, createUpload, assetRow, taskRow } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const work = createTaskRunner(ctx, { import: importAssetJob });
const serve = createServeAsset({
  storage: createIndexedReads(storage),
  locate: (playbackId) => locateAsset(ctx, playbackId),
});
afterAll(async () => {
  await work.close();
  samples.remove();
});

const uploadFile = (path: string) => receiveFile(fixtures, owner, path);

async function requestFile(playbackId: string, file: string, change: Partial<AssetRequest> = {}) {
  const path = `/${playbackId}/${file}`;
  const answer = await serve({ path, download: false, headers: {}, ...change });
  const body = answer.stream ? await buffer(await answer.stream.open()) : Buffer.concat(answer.body ?? []);
  return { ...answer, headers: answer.headers ?? {}, body };
}
const eventsOf = async (id: string) =>
  (await db.event.findMany({ where: { payload: { path: ['payload', 'asset', 'id'], equals: id } }, orderBy: { createdAt: 'asc' } })).map(({ name }) => name); // prettier-ignore

/** Frames and seconds that ffprobe decodes. */
function decode(path: string) {
  const output = execFileSync(
    'ffprobe',
    ['-v', 'warning', '-allowed_extensions', 'ALL', '-count_frames', '-select_streams', 'v', '-show_entries', 'stream=nb_read_frames:format=duration', '-of', 'json', path],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  ).toString(); // prettier-ignore
  const { streams, format } = JSON.parse(output) as {
    streams: { nb_read_frames: string }[];
    format: { duration: string };
  };
  return { frames: Number(streams[0]?.nb_read_frames), seconds: Number(format.duration) };
}

/**
 * Downloads `index.m3u8` and all of its files, as a player does.
 * @returns the path of the local copy
 */
async function fetchHls(playbackId: string): Promise<string> {
  const folder = join(samples.folder, `hls-${playbackId}`);
  mkdirSync(join(folder, 'source'), { recursive: true });
  const save = async (file: string) => {
    const { status, body } = await requestFile(playbackId, file);
    expect([file, status]).toEqual([file, 200]);
    writeFileSync(join(folder, file), body);
    return body.toString();
  };
  const master = parse(await save('index.m3u8')) as hlsTypes.MasterPlaylist;
  expect(master.variants).toHaveLength(1);
  const [variant] = master.variants;
  expect(variant?.codecs).toMatch(/^avc1\.[0-9a-f]{6},mp4a\.40\.2$/);
  const media = parse(await save(variant?.uri ?? '')) as hlsTypes.MediaPlaylist;
  expect(media.endlist).toBe(true);
  await save(`source/${media.segments[0]?.map.uri ?? ''}`);
  for (const { uri } of media.segments) await save(`source/${uri}`);
  return join(folder, 'index.m3u8');
}

describe('an uploaded file', () => {
  test.each<[string, SampleOptions]>([
    ['index at the end', { seconds: 14 }],
    ['index first', { seconds: 4, output: ['-movflags', '+faststart'] }],
    [
      'variable frame rate',
      { seconds: 4, output: ['-vf', "select='not(mod(n,3))+lt(n,8)'", '-vsync', 'vfr'] },
    ],
    ['5.1 audio', { seconds: 4, output: ['-ac', '6'] }],
    ['fragments', { seconds: 4, output: ['-movflags', 'frag_keyframe+empty_moov'] }],
    ['B-frames', { seconds: 4, output: ['-bf', '2'] }],
    [
      'a keyframe every 20 s',
      { seconds: 45, output: ['-g', '200', '-keyint_min', '200', '-sc_threshold', '0'] },
    ],
  ])('becomes a playable asset: %s', async (name, options) => {
    const path = samples.make(`${name.replaceAll(' ', '-')}.mp4`, options);
    const { assetId, playbackId, taskId } = await uploadFile(path);
    await work.drain();
    const asset = await getAsset(owner, assetId);
    const sha256 = execFileSync('sha256sum', [path]).toString().split(' ')[0];
    expect(asset).toMatchObject({
      status: { phase: 'ready', progress: 1 },
      size: readFileSync(path).length,
      hash: [{ algorithm: 'md5' }, { algorithm: 'sha256', hash: sha256 }],
      playbackUrl: `http://localhost:8080/asset/${playbackId}/index.m3u8`,
      downloadUrl: `http://localhost:8080/asset/${playbackId}/video`,
    });
    const original = decode(path);
    expect(decode(await fetchHls(playbackId))).toEqual({
      frames: original.frames,
      seconds: expect.closeTo(original.seconds, 0) as number,
    });
    const video = await requestFile(playbackId, 'video');
    expect(video.headers).toMatchObject({ 'Content-Type': 'video/mp4', 'Accept-Ranges': 'bytes' });
    writeFileSync(samples.path('video.mp4'), video.body);
    expect(decode(samples.path('video.mp4')).frames).toBe(original.frames);
    // The source is the uploaded file, unchanged.
    expect((await requestFile(playbackId, 'source')).body.equals(readFileSync(path))).toBe(true);
    const task = await taskRow(taskId);
    expect(task).toMatchObject({ phase: 'completed', progress: 1, attempt: 0, errorMessage: null });
    const { videoSpec, size, hash } = asset;
    const spec = { hash, size, videoSpec, type: 'video' };
    const paths = { metadataFilePath: assetKey(assetId, 'metadata.json') };
    expect(task.output).toMatchObject({ import: { ...paths, assetSpec: spec } });
    expect(await eventsOf(assetId)).toEqual(['asset.created', 'asset.updated', 'asset.ready']);
    expect(await storage.head(`directUpload/${playbackId}/source`)).toBeNull();
  });

  test('portrait video keeps its rotation', async () => {
    const path = samples.path('portrait.mp4');
    samples.ffmpeg('-i', samples.make('landscape.mp4'), '-c', 'copy', '-metadata:s:v', 'rotate=90', path);
    const { assetId, playbackId } = await uploadFile(path);
    await work.drain();
    expect((await getAsset(owner, assetId)).videoSpec?.tracks[0]).toMatchObject({ width: 90, height: 160 });
    writeFileSync(samples.path('rotated.mp4'), (await requestFile(playbackId, 'video')).body);
    const rotationOf = (file: string) =>
      execFileSync('ffprobe', ['-v', 'error', '-allowed_extensions', 'ALL', '-select_streams', 'v', '-show_entries', 'stream_side_data=rotation', '-of', 'csv=p=0', file]).toString().trim(); // prettier-ignore
    expect(rotationOf(path)).toMatch(/^-?90$/);
    const folder = dirname(await fetchHls(playbackId));
    const names = readdirSync(join(folder, 'source')).filter((file) =>
      /(?:init\.mp4|000000\.m4s)$/.test(file),
    );
    const parts = names
      .toSorted()
      .toReversed()
      .map((file) => readFileSync(join(folder, 'source', file)));
    writeFileSync(samples.path('segment.mp4'), Buffer.concat(parts));
    for (const file of ['rotated.mp4', 'segment.mp4']) {
      expect([file, rotationOf(samples.path(file))]).toEqual([file, rotationOf(path)]);
    }
  });

  test('the chapters of the file become those of the asset, unless its owner has set others', async () => {
    const names = samples.path('chapters.txt');
    const chapter = (start: number, end: number, title: string) =>
      `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=${title}\n`;
    writeFileSync(names, `;FFMETADATA1\n${chapter(0, 700, 'The spring')}${chapter(700, 2_000, 'The weir')}`);
    const path = samples.path('chapters.mp4');
    samples.ffmpeg('-i', samples.make('plain.mp4'), '-i', names, '-map_chapters', '1', '-c', 'copy', path);
    const [upload, uploadWithOwnChapters] = [await uploadFile(path), await uploadFile(path)];
    const ownersChapters = [{ start: 1, title: 'Mine' }];
    await db.asset.update({
      where: { id: uploadWithOwnChapters.assetId },
      data: { chapters: ownersChapters },
    });
    await work.drain();
    expect((await getAsset(owner, upload.assetId)).chapters).toEqual([
      { start: 0, title: 'The spring' },
      { start: 0.7, title: 'The weir' },
    ]);
    expect((await getAsset(owner, uploadWithOwnChapters.assetId)).chapters).toEqual(ownersChapters);
    expect((await findPlayback(ctx, uploadWithOwnChapters.playbackId)).meta.chapters).toEqual(ownersChapters);
  });

  test('an hour of video becomes ready with all its frames', async () => {
    const path = samples.path('hour.mp4');
    const short = samples.make('short.mp4', { seconds: 60, size: '64x36', fps: '2' });
    samples.ffmpeg('-stream_loop', '59', '-i', short, '-c', 'copy', path);
    const { assetId, playbackId } = await uploadFile(path);
    await work.drain();
    const { videoSpec } = await getAsset(owner, assetId);
    expect(videoSpec?.duration).toBeCloseTo(3_600, -1);
    const playback = decode(await fetchHls(playbackId));
    expect(playback.frames).toBe(7_200);
    expect(playback.seconds).toBeCloseTo(3_600, -1);
  });

  test('has a poster and a storyboard', async () => {
    const { assetId, playbackId } = await uploadFile(samples.make('storyboard.mp4', { seconds: 12 }));
    await work.drain();
    const poster = (await requestFile(playbackId, 'poster.jpg')).body;
    expect(poster.subarray(0, 2).toString('hex')).toBe('ffd8');
    expect((await requestFile(playbackId, 'storyboard.vtt')).status).toBe(404);
    await makeDueStoryboards(ctx);
    const cues = (await requestFile(playbackId, 'storyboard.vtt')).body.toString();
    expect(cues).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:01\.000\nstoryboard-1\.jpg#xywh=0,0,160,90\n/);
    expect(cues.match(/-->/g)).toHaveLength(12);
    expect((await requestFile(playbackId, 'storyboard-1.jpg')).headers['Content-Type']).toBe('image/jpeg');
    const { meta } = await findPlayback(ctx, playbackId);
    expect(meta.source.map(({ hrn }) => hrn)).toEqual(['MP4', 'HLS (TS)', 'Thumbnail (JPEG)', 'Thumbnails']);
    let bytes = 0;
    for await (const object of storage.list(`asset/${assetId}/`)) bytes += object.bytes;
    expect(await assetRow(assetId)).toMatchObject({ storedBytes: BigInt(bytes), storyboardDueAt: null });
  });
});

describe('serving', () => {
  test('supports ranges, file names and conditional requests', async () => {
    const { assetId, playbackId } = await uploadFile(
      samples.make('serve.mp4', { output: ['-movflags', '+faststart'] }),
    );
    await work.drain();
    await db.asset.update({ where: { id: assetId }, data: { name: 'Fête / "live"' } });
    const wholeAnswer = await requestFile(playbackId, 'video');
    const part = await requestFile(playbackId, 'video', { headers: { range: 'bytes=10-19' } });
    expect(part.status).toBe(206);
    expect(part.body.equals(wholeAnswer.body.subarray(10, 20))).toBe(true);
    expect(part.headers).toMatchObject({ 'Content-Range': `bytes 10-19/${wholeAnswer.body.length}` });
    expect((await requestFile(playbackId, 'video', { headers: { range: 'bytes=99999999-' } })).status).toBe(
      416,
    );
    expect(wholeAnswer.stream?.bytes).toBe(wholeAnswer.body.length);
    // Playback info links to a URL that ends in .mp4, because players detect the format by it.
    const [mp4] = (await findPlayback(ctx, playbackId)).meta.source;
    expect(mp4?.url).toMatch(/\.mp4$/);
    const file = new URL(mp4?.url ?? '').pathname.slice(`/asset/${playbackId}/`.length);
    const rangeAnswer = await requestFile(playbackId, file, { headers: { range: 'bytes=10-19' } });
    expect([rangeAnswer.status, rangeAnswer.headers['Content-Type']]).toEqual([206, 'video/mp4']);
    expect(rangeAnswer.body.equals(part.body)).toBe(true);
    const etag = String(wholeAnswer.headers['ETag']);
    expect((await requestFile(playbackId, 'video', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect(
      (await requestFile(playbackId, 'video', { headers: { range: 'bytes=0-1', 'if-range': '"other"' } }))
        .status,
    ).toBe(200);
    expect(
      (await requestFile(playbackId, 'video', { headers: { range: 'bytes=0-1', 'if-range': etag } })).status,
    ).toBe(206);
    expect(
      (await requestFile(playbackId, 'video', { download: true })).headers['Content-Disposition'],
    ).toMatch(/^attachment; .*filename\*=UTF-8''F%C3%AAte/);
    // Caches revalidate each time, because the name may change while the file does not.
    const downloadRequest = { download: true, headers: { 'if-none-match': etag } };
    expect(await requestFile(playbackId, 'video', downloadRequest)).toMatchObject({
      status: 304,
      headers: {
        'Cache-Control': 'no-cache',
        'Content-Disposition': expect.stringMatching(/^attachment; /) as string,
      },
    });
  });

  test.each([
    '..%2fmetadata.json',
    'metadata.json',
    '.',
    '',
    'video/',
    'hls/index.m3u8',
    'a/b/c/d/e.m4s',
    'poster.jpg%00',
  ])('responds with 404 to %j', async (file) => {
    const ready = await db.asset.findFirstOrThrow({ where: { phase: 'ready' } });
    expect((await requestFile(ready.playbackId, file)).status).toBe(404);
  });

  test('responds with 404 for an asset that is not ready, deleted or unknown', async () => {
    const waiting = await createUpload(owner);
    expect((await requestFile(waiting.playbackId, 'video')).status).toBe(404);
    expect((await requestFile('0123456789abcdef', 'video')).status).toBe(404);
    const { assetId, playbackId } = await uploadFile(samples.make('deleted.mp4'));
    await work.drain();
    await deleteAsset(owner, assetId);
    expect((await requestFile(playbackId, 'video')).status).toBe(404);
  });
});

async function createRecordedSession() {
  const teamId = owner.actor.teamId;
  const parent = await fixtures.createStream(teamId);
  const session = await db.session.create({
    data: { teamId, parentId: parent.id, name: 'Town hall', playbackId: parent.playbackId, record: true },
  });
  return { teamId, session };
}

test('an audio-only recording becomes an asset without a poster', async () => {
  const { teamId, session } = await createRecordedSession();
  const hlsPrefix = `recording/${session.id}/hls/`;
  const mp4Key = `recording/${session.id}/source.mp4`;
  const path = join(samples.folder, 'audio.mp4');
  const tone = 'sine=frequency=440:sample_rate=48000:duration=2';
  samples.ffmpeg('-f', 'lavfi', '-i', tone, '-c:a', 'aac', '-movflags', '+faststart', path);
  await storage.put(mp4Key, readFileSync(path));
  await storage.put(`${hlsPrefix}index.m3u8`, Buffer.from('#EXTM3U\n'));
  const recording = {
    sessionId: session.id,
    teamId,
    name: 'Radio',
    startedAt: new Date(),
    mp4Key,
    hlsPrefix,
  };
  const { assetId } = await createRecordingAsset(ctx, recording);
  await work.drain();
  const asset = await getAsset(owner, assetId);
  expect(asset).toMatchObject({ status: { phase: 'ready' }, videoSpec: { tracks: [{ type: 'audio' }] } });
  expect(asset.videoSpec?.duration).toBeCloseTo(2, 1);
  expect(await storage.head(assetKey(assetId, 'poster.jpg'))).toBeNull();
});

test('a recording keeps its HLS files', async () => {
  const { teamId, session } = await createRecordedSession();
  const path = samples.make('recorded.mp4', { seconds: 4, audio: null, output: ['-movflags', '+faststart'] });
  const hls = join(samples.folder, 'recorded-hls');
  await writeIndexedHls(path, hls, { frameRate: 10, dataDir: samples.folder });
  const prefix = `recording/${session.id}/`;
  for (const file of ['index.m3u8', 'source/index.m3u8', 'source/init.mp4', 'source/000000.m4s']) {
    await storage.put(`${prefix}${file}`, readFileSync(join(hls, file)));
  }
  const mp4Key = `${prefix}video.mp4`;
  await storage.put(mp4Key, readFileSync(path));
  const recording = {
    sessionId: session.id,
    teamId,
    name: 'Town hall',
    startedAt: new Date(),
    mp4Key,
    hlsPrefix: prefix,
  };
  const { assetId, playbackId } = await createRecordingAsset(ctx, recording);
  await work.drain();
  expect(await createRecordingAsset(ctx, recording)).toMatchObject({ assetId, phase: 'ready' });
  expect(await getAsset(owner, assetId)).toMatchObject({
    source: { type: 'recording', sessionId: session.id },
  });
  expect(
    (await requestFile(playbackId, 'source/000000.m4s')).body.equals(
      readFileSync(join(hls, 'source/000000.m4s')),
    ),
  ).toBe(true);
  expect((await requestFile(playbackId, 'video')).body.equals(readFileSync(path))).toBe(true);
});

describe('when the worker dies', () => {
  test('the next worker finishes the task and overwrites partial files', async () => {
    const { assetId, playbackId, taskId } = await uploadFile(samples.make('died.mp4', { seconds: 4 }));
    // The state after kill -9: the task is running, half of its files exist, and the queue delivers its job again.
    await db.task.update({ where: { id: taskId }, data: { phase: 'running', progress: 0.7 } });
    await storage.put(assetKey(assetId, 'hls/index.m3u8'), Buffer.from('half'));
    mkdirSync(join(scratchFolder(dataDir), taskId, 'hls', 'source'), { recursive: true });
    writeFileSync(join(scratchFolder(dataDir), taskId, 'hls', 'source', '000000.m4s'), 'half');
    await work.run('local', { taskId, attempt: 0 });
    await work.drain();
    expect(await taskRow(taskId)).toMatchObject({ phase: 'completed', retries: 1 });
    expect(decode(await fetchHls(playbackId)).frames).toBe(40);
  });

  test('again and again for 24 hours, the task fails with the cause and can be retried', async () => {
    const { assetId, taskId } = await uploadFile(samples.make('crashing.mp4'));
    const faultsSince = new Date(Date.now() - 24 * 3_600_000);
    await db.task.update({
      where: { id: taskId },
      data: { phase: 'running', faults: 9, faultsSince },
    });
    await work.run('local', { taskId, attempt: 0 });
    await work.drain();
    const errorMessage =
      'this server could not finish the task within 24 hours (the worker stopped before it finished the task); ' +
      `start it again with POST /api/task/${taskId}/retry`;
    expect(await taskRow(taskId)).toMatchObject({ phase: 'failed', errorMessage });
    expect(await assetRow(assetId)).toMatchObject({ phase: 'failed', errorMessage });
    const retriedTask = await retryTask(owner, taskId);
    await work.drain();
    expect(await taskRow(retriedTask.id)).toMatchObject({ phase: 'completed', faults: 0, retries: 0 });
    expect(await assetRow(assetId)).toMatchObject({ phase: 'ready', errorMessage: null });
  });

  test('a worker that shuts down releases its task', async () => {
    const { taskId } = await uploadFile(samples.make('ended.mp4', { seconds: 4 }));
    const endedRunner = createTaskRunner(ctx, {
      import: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    });
    const running = endedRunner.run('local', { taskId, attempt: 0 });
    await expect.poll(async () => (await taskRow(taskId)).phase).toBe('running');
    await endedRunner.close();
    await running;
    expect(await taskRow(taskId)).toMatchObject({ phase: 'waiting', retries: 0, attempt: 1 });
    await work.drain();
    expect((await taskRow(taskId)).phase).toBe('completed');
  });
});
