import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { MAX_SLATE_PICTURE_BYTES } from '@/lib/contract/streams/slate-picture';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { auditStorage } from '@/lib/domain/storage-audit';
import {
  createStream,
  deleteSlatePicture,
  deleteStream,
  getStream,
  deleteOrphanedSlatePictures,
  requestSlateUpload,
} from '@/lib/domain/streams';
import { servePictureFile } from '@/media-worker/delivery/origin/stored/serve-uploaded-picture';
import { createMakeSlate } from '@/media-worker/live/program/make-slate';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { setUpPictureUploads } from './testing/picture-uploads';
import { putSlate } from './upload-slate';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, db, storage } = fixtures;
const { createPicture, put } = setUpPictureUploads({ slate: (request) => putSlate(ctx, request) });
const red = () => createPicture('red.png', 'color=red:size=2400x1200');

async function createStreamWithSlate(owner: TeamContext): Promise<string> {
  return (await createStream(owner, { name: 'Town hall', slate: true })).id;
}
const urlOf = async (owner: TeamContext, id: string) => (await getStream(owner, id)).slatePictureUrl;
const keyOf = (url: string | undefined) => new URL(url ?? 'http://none').pathname.slice(1);
const versionOf = async (id: string) =>
  (await db.stream.findUniqueOrThrow({ where: { id } })).settingsVersion;
const slateSpec = (key: string) => ({
  width: 320,
  height: 180,
  sar: { num: 1, den: 1 },
  fps: 30,
  parameterSetId: 1,
  title: '',
  picture: key,
});
const later = { ...ctx, clock: { ...ctx.clock, now: () => new Date(Date.now() + 25 * 3_600_000) } };

test('a slate picture is stored as a PNG of at most 1920 pixels, served and encoded, and the settings get a new version', async () => {
  const owner = await fixtures.createTeamContext();
  const id = await createStreamWithSlate(owner);
  const before = await versionOf(id);
  const { url } = await requestSlateUpload(owner, id);
  const response = await put(url, await red());
  expect(response.status).toBe(200);
  const slatePictureUrl = await urlOf(owner, id);
  expect(await response.json()).toEqual({ slatePictureUrl });
  expect(await versionOf(id)).toBeGreaterThan(before);
  const answer = await servePictureFile(storage, `/${keyOf(slatePictureUrl)}`, {});
  expect(answer.status).toBe(200);
  await storage.withFile(keyOf(slatePictureUrl), (path) => {
    const png = readFileSync(path);
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1920, 960]);
    return Promise.resolve();
  });
  const slate = await createMakeSlate(storage)(
    slateSpec(keyOf(slatePictureUrl)),
    new AbortController().signal,
  );
  expect(slate.frames[0]?.key).toBe(true);
  const entries = await db.auditEntry.findMany({ where: { objectId: id } });
  expect(entries.map(({ action }) => action)).toContain('stream.slate-picture-uploaded');
});

test('a transparent picture gets the background of slates', async () => {
  const owner = await fixtures.createTeamContext();
  const id = await createStreamWithSlate(owner);
  const clear = await createPicture('clear.png', 'color=red@0.0:size=64x64,format=rgba');
  await put((await requestSlateUpload(owner, id)).url, clear);
  const probe = await storage.withFile(keyOf(await urlOf(owner, id)), (path) =>
    promisify(execFile)('ffmpeg', ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'], {
      encoding: 'buffer',
    }),
  );
  // The background of slates: #12151c.
  expect([...probe.stdout.subarray(0, 3)]).toEqual([0x12, 0x15, 0x1c]);
});

test('a slate replaces the previous one; a deleted slate, and that of a deleted stream, is removed a day later', async () => {
  const owner = await fixtures.createTeamContext();
  const [keptId, otherId, deletedId] = [
    await createStreamWithSlate(owner),
    await createStreamWithSlate(owner),
    await createStreamWithSlate(owner),
  ];
  for (const id of [keptId, keptId, otherId, deletedId])
    await put((await requestSlateUpload(owner, id)).url, await red());
  const keys = await Promise.all(
    [keptId, otherId, deletedId].map(async (id) => keyOf(await urlOf(owner, id))),
  );
  await deleteSlatePicture(owner, otherId);
  expect(await urlOf(owner, otherId)).toBeUndefined();
  await deleteStream(owner, deletedId);
  const { unowned: unownedFiles } = await auditStorage(ctx);
  const unownedKeys = unownedFiles.map(({ key }) => key).filter((key) => key.startsWith('slate/'));
  expect(unownedKeys.toSorted()).toEqual(keys.slice(1).toSorted());
  expect(await deleteOrphanedSlatePictures(ctx)).toBe(0);
  expect(await deleteOrphanedSlatePictures(later)).toBe(2);
  expect((await servePictureFile(storage, `/${keys[0]}`, {})).status).toBe(200);
  expect((await servePictureFile(storage, `/${keys[1]}`, {})).status).toBe(404);
});

test.each([
  ['an SVG', () => '<svg xmlns="http://www.w3.org/2000/svg"/>', 422, /slate picture must be a PNG/],
  ['only the start of a PNG', async () => (await red()).slice(0, 40), 422, /damaged/],
  ['too many bytes', () => new Uint8Array(MAX_SLATE_PICTURE_BYTES + 1), 413, /at most 4194304 bytes/],
])('a slate upload with %s is rejected', async (_, body, status, message) => {
  const owner = await fixtures.createTeamContext();
  const id = await createStreamWithSlate(owner);
  const response = await put((await requestSlateUpload(owner, id)).url, await body());
  expect(response.status).toBe(status);
  expect(((await response.json()) as { errors: string[] }).errors[0]).toMatch(message);
  expect(await urlOf(owner, id)).toBeUndefined();
});

test('a URL is only valid for its stream and team, while the stream exists', async () => {
  const [owner, otherTeam] = [await fixtures.createTeamContext(), await fixtures.createTeamContext()];
  const [id, otherId] = [await createStreamWithSlate(owner), await createStreamWithSlate(otherTeam)];
  await expect(requestSlateUpload(otherTeam, id)).rejects.toThrow('not found');
  await expect(deleteSlatePicture(otherTeam, id)).rejects.toThrow('not found');
  const { url } = await requestSlateUpload(owner, id);
  for (const changedUrl of [
    url.replace(id, otherId),
    url.replace(owner.actor.teamId, otherTeam.actor.teamId),
  ])
    expect((await put(changedUrl, await red())).status).toBe(403);
  await deleteStream(owner, id);
  expect((await put(url, await red())).status).toBe(404);
});
