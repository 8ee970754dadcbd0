import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createAssetFixtures } from '../testing/asset-fixtures';
import {
  addTrack,
  deleteTrack,
  findAssetPlayback,
  listTracks,
  locateAsset,
  readTrackText,
  requestUpload,
  updateAsset,
  updateTrack,
} from '../index';

const fixtures = createAssetFixtures(await createTestDatabase());
const { db } = fixtures;
const teamContext = await fixtures.createTeamContext();
const ctx = { ...teamContext, settings: { ...teamContext.settings, egressAllowCidrs: ['127.0.0.1/32'] } };
const system = { ...ctx, actor: { kind: 'system' } } as const;
const srt = '1\n00:00:01,000 --> 00:00:03,500\nGuten <b>Abend</b>.\n';
const vtt = 'WEBVTT\n\n00:00:01.000 --> 00:00:03.500\nGuten <b>Abend</b>.\n';

async function createReadyAsset() {
  const { asset } = await requestUpload(ctx, { name: 'River' });
  const keys = { sourceKey: `asset/${asset.id}/source`, videoKey: `asset/${asset.id}/source` };
  await fixtures.markReady(asset.id);
  return db.asset.update({ where: { id: asset.id }, data: keys });
}

test('a track is written as WebVTT, listed, offered to players, changed and deleted', async () => {
  const { id, playbackId } = await createReadyAsset();
  const german = await addTrack(ctx, { id, track: { language: 'de', body: srt } });
  expect(german).toMatchObject({ kind: 'subtitles', label: 'Deutsch', default: false, cues: 1 });
  expect(await readTrackText(system, german.id)).toBe(vtt);
  const english = await addTrack(ctx, {
    id,
    track: { language: 'en', kind: 'captions', label: 'English CC', default: true, body: vtt },
  });
  expect(await listTracks(ctx, id)).toEqual([german, english]);
  expect((await locateAsset(system, playbackId))?.tracks.map(({ label }) => label)).toEqual([
    'Deutsch',
    'English CC',
  ]);
  const { meta } = (await findAssetPlayback(system, playbackId))?.playback ?? {};
  expect(meta?.tracks?.[0]).toEqual({
    kind: 'subtitles',
    language: 'de',
    label: 'Deutsch',
    default: false,
    url: `${ctx.settings.cdnUrl}/asset/${playbackId}/tracks/${german.id}.vtt`,
  });

  const changedTrack = await updateTrack(ctx, { id, trackId: german.id, change: { default: true } });
  expect(changedTrack).toEqual({ ...german, default: true });
  expect((await listTracks(ctx, id)).map((track) => track.default)).toEqual([true, false]);
  await deleteTrack(ctx, { id, trackId: german.id });
  expect(await listTracks(ctx, id)).toEqual([{ ...english, default: false }]);
  expect((await fixtures.auditOf(id)).slice(-4)).toEqual([
    'asset.track-added',
    'asset.track-added',
    'asset.track-updated',
    'asset.track-deleted',
  ]);
  const events = await db.event.findMany({ where: { teamId: ctx.actor.teamId, name: 'asset.updated' } });
  expect(events).toHaveLength(4);
});

test('labels are unique within an asset, even when two tracks are added concurrently', async () => {
  const { id } = await createReadyAsset();
  const add = () => addTrack(ctx, { id, track: { language: 'de', body: srt } });
  const results = await Promise.allSettled([add(), add()]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(add()).rejects.toMatchObject({
    code: 'conflict',
    message: 'label: another track of this asset has this label',
  });
});

test.each([
  ['no cues here', 'body: has no cues. Send a WebVTT or SubRip file in UTF-8'],
  ['\n1\n00:00:01 --> x\nHi', 'body: line 3: must have times such as 00:01:02.500 --> 00:01:04.000'],
])('the track file %j is rejected', async (body, message) => {
  const { id } = await createReadyAsset();
  await expect(addTrack(ctx, { id, track: { language: 'de', body } })).rejects.toMatchObject({
    code: 'invalid',
    message,
  });
  expect(await listTracks(ctx, id)).toEqual([]);
});

test('a cue that does not end after it starts is skipped with a warning', async () => {
  const { id } = await createReadyAsset();
  const body = `${srt}\n\n9\n00:00:09,000 --> 00:00:09,000\nNo\n`;
  const { cues, warnings } = await addTrack(ctx, { id, track: { language: 'de', body } });
  expect(cues).toBe((await addTrack(ctx, { id, track: { language: 'fr', body: srt } })).cues);
  expect(warnings).toEqual([
    expect.stringMatching(/^1 cue that does not end after it starts was skipped, at line \d+$/),
  ]);
});

test('a track is not found by another team or with the id of another asset', async () => {
  const { id } = await createReadyAsset();
  const track = await addTrack(ctx, { id, track: { language: 'de', body: srt } });
  const otherTeam = await fixtures.createTeamContext();
  const trackPath = { id, trackId: track.id };
  for (const attempt of [
    () => listTracks(otherTeam, id),
    () => addTrack(otherTeam, { id, track: { language: 'fr', body: srt } }),
    () => updateTrack(otherTeam, { ...trackPath, change: { label: 'x' } }),
    () => deleteTrack(otherTeam, trackPath),
    async () => deleteTrack(ctx, { ...trackPath, id: (await createReadyAsset()).id }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
  expect(await listTracks(ctx, id)).toEqual([track]);
});

const server = createServer((request, response) => {
  if (request.url === '/moved') response.writeHead(302, { location: '/subtitles.srt' }).end();
  else if (request.url === '/subtitles.srt') response.end(srt);
  else if (request.url === '/latin1') response.end(Buffer.from([0xe4, 0xff]));
  else if (request.url === '/large') response.end(Buffer.alloc(2_100_000, 'x'));
  else response.writeHead(404).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => void server.close());
const serverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

test('a file is downloaded, also after a redirect, within limits and only from allowed addresses', async () => {
  const { id } = await createReadyAsset();
  const add = (path: string, as = ctx) =>
    addTrack(as, { id, track: { language: 'de', url: serverUrl + path } });
  for (const [path, message] of [
    ['/none', 'url: the server answered with status 404'],
    ['/latin1', 'url: the file must be text in UTF-8'],
    ['/large', 'url: the response is longer than 2000000 bytes'],
  ] as const)
    await expect(add(path)).rejects.toMatchObject({ code: 'invalid', message });
  const closedContext = { ...ctx, settings: { ...ctx.settings, egressAllowCidrs: [] } };
  await expect(add('/subtitles.srt', closedContext)).rejects.toMatchObject({
    code: 'invalid',
    message: 'url: the connection failed: no public address of this host accepted it',
  });
  expect(await add('/moved')).toMatchObject({ cues: 1 });
});

test('a chapter file replaces the chapters of the asset', async () => {
  const { id } = await createReadyAsset();
  const change = (chaptersFile: string) => updateAsset(ctx, { id, change: { chaptersFile } });
  const file = `${vtt}\n00:00:20.000 --> 00:00:30.000\nThe weir\n`;
  expect((await change(file)).chapters).toEqual([
    { start: 1, title: 'Guten Abend.' },
    { start: 20, title: 'The weir' },
  ]);
  for (const [chaptersFile, message] of [
    [vtt, 'chaptersFile: must have at least two cues with text that start within the video'],
    ['x', 'chaptersFile: has no cues. Send a WebVTT or SubRip file in UTF-8'],
  ] as const)
    await expect(change(chaptersFile)).rejects.toMatchObject({ code: 'invalid', message });
});
