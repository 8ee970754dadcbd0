import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { MAX_POSTER_BYTES } from '@/lib/contract/assets/poster';
import {
  deleteAsset,
  deleteAssetPoster,
  findAssetPlayback,
  getAsset,
  deleteOrphanedPosters,
  requestAssetPosterUpload,
  updateAsset,
} from '@/lib/domain/assets';
import type { TeamContext } from '@/lib/domain/context';
import { auditStorage } from '@/lib/domain/storage-audit';
import {
  createStream,
  deleteStream,
  deleteStreamPoster,
  describeEmbed,
  findPlayback,
  getStream,
  requestStreamPosterUpload,
} from '@/lib/domain/streams';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { servePictureFile } from '@/media-worker/delivery/origin/stored/serve-uploaded-picture';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { setUpPictureUploads } from './testing/picture-uploads';
import { putPoster } from './upload-poster';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, db, storage } = fixtures;
const { createPicture, put } = setUpPictureUploads({ poster: (request) => putPoster(ctx, request) });
const red = () => createPicture('red.png', 'color=red:size=2560x1280');

const keyOf = (url: string | undefined) => new URL(url ?? 'http://none').pathname.slice(1);
const later = { ...ctx, clock: { ...ctx.clock, now: () => new Date(Date.now() + 25 * 3_600_000) } };
const pictureIn = (meta: { source: readonly { type: string; url: string }[] } | undefined) =>
  meta?.source.find(({ type }) => type === 'image/jpeg')?.url;

async function createAsset({ actor }: TeamContext): Promise<string> {
  const row = await db.asset.create({
    data: {
      teamId: actor.teamId,
      name: 'Film',
      sourceType: 'url',
      phase: 'ready',
      playbackId: newId(),
      videoSpec: { format: 'mp4', duration: 20, bitrate: 1, tracks: [{ type: 'video', codec: 'h264' }] },
    },
  });
  return row.id;
}
const newId = () => crypto.randomUUID().replaceAll('-', '').slice(0, 16);

test('the poster of a stream is a JPEG of at most 1280 pixels, which pages and link previews show', async () => {
  const owner = await fixtures.createTeamContext();
  const { id, playbackId } = await createStream(owner, { name: 'Town hall' });
  expect(pictureIn((await findPlayback(ctx, playbackId)).meta)).toBeUndefined();
  const response = await put((await requestStreamPosterUpload(owner, id)).url, await red());
  expect(response.status).toBe(200);
  const { posterUrl } = await getStream(owner, id);
  expect(await response.json()).toEqual({ posterUrl });
  const answer = await servePictureFile(storage, `/${keyOf(posterUrl)}`, {});
  expect(answer).toMatchObject({ status: 200, headers: { 'Content-Type': 'image/jpeg' } });
  const { stdout } = await storage.withFile(keyOf(posterUrl), (path) =>
    promisify(execFile)('ffprobe', ['-v', 'error', '-show_entries', 'stream=codec_name,width,height', path]),
  );
  expect(stdout).toMatch(/codec_name=mjpeg\s+width=1280\s+height=640/);
  expect(pictureIn((await findPlayback(ctx, playbackId)).meta)).toBe(posterUrl);
  const url = `${ctx.settings.baseUrl}/watch/${playbackId}`;
  expect(await describeEmbed(ctx, { url })).toMatchObject({ thumbnail_url: posterUrl });
  const entries = await db.auditEntry.findMany({ where: { objectId: id } });
  expect(entries.map(({ action }) => action)).toContain('stream.poster-uploaded');

  await deleteStreamPoster(owner, id);
  expect((await getStream(owner, id)).posterUrl).toBeUndefined();
  expect(pictureIn((await findPlayback(ctx, playbackId)).meta)).toBeUndefined();
});

test('the poster of an asset replaces its frame until it is deleted or a frame is chosen', async () => {
  const owner = await fixtures.createTeamContext();
  const id = await createAsset(owner);
  const { playbackId } = await getAsset(owner, id);
  const readPoster = async () => pictureIn((await findAssetPlayback(ctx, playbackId))?.playback.meta);
  const automatic = await readPoster();
  expect(automatic).toMatch(/poster\.jpg$/);
  const upload = async () => put((await requestAssetPosterUpload(owner, id)).url, await red());
  expect((await upload()).status).toBe(200);
  expect(await readPoster()).toBe((await getAsset(owner, id)).posterUrl);
  await deleteAssetPoster(owner, id);
  expect(await readPoster()).toBe(automatic);
  await upload();
  await updateAsset(owner, { id, change: { posterTime: 3 } });
  expect(await getAsset(owner, id)).toMatchObject({ posterTime: 3 });
  expect(await readPoster()).toBe(automatic);
});

test('the poster of a deleted stream is removed from the storage a day later; that of a deleted asset stays', async () => {
  const owner = await fixtures.createTeamContext();
  const [keptStream, deletedStream] = await Promise.all(
    ['kept', 'gone'].map(async (name) => (await createStream(owner, { name })).id),
  );
  const asset = await createAsset(owner);
  const send = async (request: Promise<{ url: string }>) => put((await request).url, await red());
  for (const id of [keptStream, keptStream, deletedStream])
    await send(requestStreamPosterUpload(owner, id ?? ''));
  await send(requestAssetPosterUpload(owner, asset));
  const keys = await Promise.all(
    [keptStream, deletedStream].map(async (id) => keyOf((await getStream(owner, id ?? '')).posterUrl)),
  );
  const ofAsset = keyOf((await getAsset(owner, asset)).posterUrl);
  await deleteStream(owner, deletedStream ?? '');
  await deleteAsset(owner, asset);
  const unownedKeys = (await auditStorage(ctx)).unowned.map(({ key }) => key);
  expect(unownedKeys).toContain(keys[1]);
  expect(unownedKeys).not.toContain(keys[0]);
  // A deleted asset can be restored, with its poster.
  expect(unownedKeys).not.toContain(ofAsset);
  expect(await deleteOrphanedPosters(ctx)).toBe(0);
  await deleteOrphanedPosters(later);
  expect((await servePictureFile(storage, `/${keys[0]}`, {})).status).toBe(200);
  expect((await servePictureFile(storage, `/${keys[1]}`, {})).status).toBe(404);
  expect((await servePictureFile(storage, `/${ofAsset}`, {})).status).toBe(200);
});

test.each([
  ['an SVG', () => '<svg xmlns="http://www.w3.org/2000/svg"/>', 422, /poster must be a PNG/],
  ['only the start of a PNG', async () => (await red()).slice(0, 40), 422, /damaged/],
  ['too many bytes', () => new Uint8Array(MAX_POSTER_BYTES + 1), 413, /at most 4194304 bytes/],
])('a poster upload with %s is rejected', async (_, body, status, message) => {
  const owner = await fixtures.createTeamContext();
  const { id } = await createStream(owner, { name: 'Town hall' });
  const response = await put((await requestStreamPosterUpload(owner, id)).url, await body());
  expect(response.status).toBe(status);
  expect(((await response.json()) as { errors: string[] }).errors[0]).toMatch(message);
  expect((await getStream(owner, id)).posterUrl).toBeUndefined();
});

test('a URL is only valid for its object and team, while the object exists', async () => {
  const [owner, otherTeam] = [await fixtures.createTeamContext(), await fixtures.createTeamContext()];
  const { id } = await createStream(owner, { name: 'Town hall' });
  const asset = await createAsset(owner);
  await expect(requestStreamPosterUpload(otherTeam, id)).rejects.toThrow('not found');
  await expect(requestAssetPosterUpload(otherTeam, asset)).rejects.toThrow('not found');
  await expect(deleteStreamPoster(otherTeam, id)).rejects.toThrow('not found');
  await expect(deleteAssetPoster(otherTeam, asset)).rejects.toThrow('not found');
  const { url } = await requestStreamPosterUpload(owner, id);
  for (const changedUrl of [url.replace(id, asset), url.replace(owner.actor.teamId, otherTeam.actor.teamId)])
    expect((await put(changedUrl, await red())).status).toBe(403);
  await deleteStream(owner, id);
  expect((await put(url, await red())).status).toBe(404);
});
