import { beforeEach, describe, expect, test } from 'vitest';
import { createPlaybackToken, revokePlaybackToken } from '@/lib/domain/access';
import { recordingKey } from '@/lib/core/storage-keys';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { PreviewTokens } from '@/lib/domain/access';
import { updateStatusOfOwnedTeams } from '@/lib/domain/teams';
import {
  type Owner,
  startRestrictedOrigin,
  signJwt,
} from '@/media-worker/delivery/origin/testing/restricted-origin';

const {
  ctx,
  db,
  storage,
  createOwner,
  createStreamWithPolicy,
  createAssetWithPolicy,
  rawStatusOf,
  statusOf,
  rejectionOf,
  openMaster,
} = await startRestrictedOrigin(await createTestDatabase());

/** Stored files of an asset or a recording, with their texts. */
const files = {
  source: 'video',
  'poster.jpg': 'jpg',
  'storyboard.vtt': 'WEBVTT\n',
  'storyboard-0.jpg': 'tiles',
  'hls/index.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nsource/index.m3u8\n',
  'hls/source/index.m3u8': '#EXTM3U\n#EXTINF:2,\n0.m4s\n',
  'hls/source/0.m4s': 'one',
};
/** Paths below a playback id, with queries. */
const assetFiles = [
  ...['index.m3u8', 'source/index.m3u8', 'source/0.m4s', 'source/init.mp4'],
  // Files made from an index.
  ...['source/0123456789ab-init.mp4', 'source/0123456789ab-000000.m4s', 'v1/source/0123456789ab-000000.m4s'],
  // Renditions on demand.
  ...['720p/0123456789ab-init.mp4', '720p/0123456789ab-000000.m4s'],
  ...['720p/index.m3u8', '720p/init.mp4', '720p/0.m4s'],
  ...['video', 'video?download', 'video/download.mp4', 'video?download=audio', 'source', 'source?download'],
  ...['poster.jpg', 'thumbnail.jpg', 'thumbnail.jpg?time=3&width=320', 'preview.webp'],
  ...['storyboard.vtt', 'storyboard-0.jpg', 'tracks/en.vtt', 'tracks/en.m3u8'],
];
const recordingFiles = [
  'index.m3u8',
  'source/index.m3u8',
  'source/0.m4s',
  'source.mp4',
  'source.mp4?download',
];
const streamFiles = [
  ...['index.m3u8', 'index.m3u8?ll=0', 'index.m3u8?dvr=1', 'index.m3u8?probe', '720p/index.m3u8'],
  ...['source/index.m3u8', 'source/index.m3u8?_HLS_msn=7&_HLS_part=0', 'source/7.m4s', 'source/7.0.m4s'],
  ...['source/init-1.mp4', '720p/7.m4s', 'thumbnail.jpg'],
];

let owner: Owner;
beforeEach(async () => {
  owner = await createOwner();
});

async function createRecording({ ctx: { actor } }: Owner): Promise<string> {
  const { id: parentId, playbackId } = await createStreamWithPolicy(owner, null);
  const policy = { playbackPolicy: { type: 'jwt' }, recording: 'ready' } as const;
  const data = { teamId: actor.teamId, parentId, playbackId, name: 's', ...policy };
  const { id } = await db.session.create({ data });
  for (const [name, text] of Object.entries({ ...files, 'source.mp4': 'video' }))
    await storage.put(recordingKey(id, name), Buffer.from(text));
  return id;
}

describe.each([
  ['asset', assetFiles, async () => (await createAssetWithPolicy(owner, { type: 'jwt' }, files)).playbackId],
  ['recordings', recordingFiles, () => createRecording(owner)],
  ['hls', streamFiles, async () => (await createStreamWithPolicy(owner, { type: 'jwt' })).playbackId],
] as const)('/%s', (folder, fileNames, createObject) => {
  test('each file is rejected without a proof, and with the proof of another object', async () => {
    const [id, otherId] = [await createObject(), await createObject()];
    const otherPath = await openMaster(
      `/${folder}/${otherId}/index.m3u8?jwt=${await signJwt(owner.key, otherId)}`,
    );
    const [token = ''] = /~[\w-]+/.exec(otherPath) ?? [];
    for (const name of fileNames) {
      const path = `/${folder}/${id}/${name}`;
      expect([name, await rejectionOf(path)]).toEqual([name, '403 A token is required to watch this.']);
      expect([name, await rawStatusOf(path, 'HEAD')]).toEqual([name, 403]);
      expect([name, await statusOf(path, { Range: 'bytes=0-0' })]).toEqual([name, 403]);
      expect([name, await statusOf(`/${folder}/${id}/${token}/${name}`)]).toEqual([name, 403]);
      expect(await statusOf(path, { 'Livepeer-Jwt': await signJwt(owner.key, otherId) })).toBe(403);
    }
  });

  test('plays with a proof until it is revoked, and for its owner in the dashboard', async () => {
    const id = await createObject();
    const { token } = await createPlaybackToken(owner.ctx, { id, expiresIn: 60 });
    const path = `/${folder}/${id}/index.m3u8`;
    const tokenPath = await openMaster(`${path}?token=${token}`);
    const previewPath = await openMaster(
      `${path}?preview=${new PreviewTokens(ctx).issue(id, owner.ctx.actor.teamId)}`,
    );
    for (const viewerPath of [tokenPath, previewPath])
      expect(await statusOf(`${viewerPath}source/index.m3u8`)).toBe(200);
    for (const name of fileNames) expect([name, await statusOf(tokenPath + name)]).not.toEqual([name, 403]);
    await revokePlaybackToken(owner.ctx, { id, token });
    await expect.poll(() => statusOf(`${tokenPath}source/index.m3u8`), { timeout: 4_000 }).toBe(403);
    for (const name of fileNames) expect([name, await statusOf(tokenPath + name)]).toEqual([name, 403]);
    expect(await statusOf(`${previewPath}source/index.m3u8`)).toBe(200);
  });

  test('ends when the account of its owner is suspended', async () => {
    const id = await createObject();
    const tokenPath = await openMaster(`/${folder}/${id}/index.m3u8?jwt=${await signJwt(owner.key, id)}`);
    expect(await statusOf(`${tokenPath}source/index.m3u8`)).toBe(200);
    const { teamId } = owner.ctx.actor;
    await db.account.update({ where: { id: teamId }, data: { suspended: true } });
    await updateStatusOfOwnedTeams(ctx, teamId);
    await expect.poll(() => statusOf(`${tokenPath}source/index.m3u8`), { timeout: 4_000 }).toBe(404);
  });
});
