import { describe, expect, test } from 'vitest';
import { recordingKey } from '@/lib/core/storage-keys';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { authorizePublish, markActive, markIdle } from '@/lib/domain/streams';
import {
  type Owner,
  startRestrictedOrigin,
  signJwt,
  masterPlaylist,
  mediaPlaylist,
} from '@/media-worker/delivery/origin/testing/restricted-origin';

const { ctx, db, live, storage, createNode, createOwner, createStreamWithPolicy, get, statusOf, readStream } =
  await startRestrictedOrigin(await createTestDatabase());

/**
 * Creates a recorded stream with a running publish. Its session also has its own stream object (`childPlaybackId`), whose id
 * is the id of the session.
 */
async function createLiveStream(owner: Owner, policy: { type: 'jwt' } | null) {
  const { id, playbackId } = await createStreamWithPolicy(owner, policy);
  await db.stream.update({ where: { id }, data: { record: true } });
  const nodeId = await createNode();
  const publish = await authorizePublish(ctx, { streamId: id, nodeId });
  if (!publish) throw new Error('not authorized');
  const publishKey = { streamId: id, nodeId, publishNumber: publish.publishNumber };
  await markActive(ctx, { ...publishKey, issues: [] });
  const { sessionId } = publish;
  const put = (file: string, text: string) => storage.put(recordingKey(sessionId, file), Buffer.from(text));
  await put('hls/index.m3u8', masterPlaylist);
  await put('hls/source/index.m3u8', mediaPlaylist);
  const endStream = async () => {
    await markIdle(ctx, publishKey);
    await db.session.update({ where: { id: sessionId }, data: { recording: 'ready' } });
    live.answer = (_path, response) => response.writeHead(404).end();
  };
  const { playbackId: childPlaybackId } = await readStream(sessionId);
  return { playbackId, sessionId, childPlaybackId, endStream };
}

/** Fetches a playlist and returns the path of its first URI. */
async function firstUriOf(path: string) {
  const response = await get(path);
  expect(response.status).toBe(200);
  const uri = (await response.text()).split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? '';
  return new URL(uri, `http://origin${path}`).pathname;
}

describe("the playback id of a session's own stream object", () => {
  // `ll=0` turns low latency off.
  test.each(['', '?ll=0'])(
    "plays the stream while it is live, and then the recording (query: '%s')",
    async (query) => {
      const { playbackId, sessionId, childPlaybackId, endStream } = await createLiveStream(
        await createOwner(),
        null,
      );
      const path = `/hls/${childPlaybackId}/index.m3u8${query}`;
      const playlist = await firstUriOf(path);
      expect(playlist).toBe(`/hls/${playbackId}/source/index.m3u8`);
      expect(await (await get(playlist)).text()).toBe(mediaPlaylist);
      expect(await statusOf(`/hls/${childPlaybackId}/thumbnail.jpg`)).toBe(200);
      await endStream();
      const recordingPlaylist = await firstUriOf(path);
      expect(recordingPlaylist).toBe(`/recordings/${sessionId}/source/index.m3u8`);
      expect(await (await get(recordingPlaylist)).text()).toBe(mediaPlaylist);
      expect(await statusOf(`/hls/${childPlaybackId}/thumbnail.jpg`)).toBe(404);
    },
  );

  test('does not bypass access control', async () => {
    const owner = await createOwner();
    const { playbackId, sessionId, childPlaybackId, endStream } = await createLiveStream(owner, {
      type: 'jwt',
    });
    const path = `/hls/${childPlaybackId}/index.m3u8`;
    expect(await statusOf(path)).toBe(403);
    expect(await statusOf(`/hls/${childPlaybackId}/thumbnail.jpg`)).toBe(403);
    const jwt = await signJwt(owner.key, playbackId);
    const playlist = await firstUriOf(`${path}?jwt=${jwt}`);
    // The path has a token (`~…`), so that the viewer is not checked at every request.
    expect(playlist).toMatch(new RegExp(`^/hls/${playbackId}/~[^/]+/source/index\\.m3u8$`));
    expect(await statusOf(playlist)).toBe(200);
    await endStream();
    expect(await statusOf(path)).toBe(403);
    // The subject of a token for the recording is the session.
    const recordingPlaylist = await firstUriOf(`${path}?jwt=${await signJwt(owner.key, sessionId)}`);
    expect(recordingPlaylist).toMatch(new RegExp(`^/recordings/${sessionId}/~[^/]+/source/index\\.m3u8$`));
    expect(await statusOf(recordingPlaylist)).toBe(200);
  });

  test('ignores If-None-Match, Range and Accept-Encoding, and is cached for one second', async () => {
    const { childPlaybackId, endStream } = await createLiveStream(await createOwner(), null);
    await endStream();
    const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': '"x"', Range: 'bytes=0-1' };
    const response = await get(`/hls/${childPlaybackId}/index.m3u8`, headers);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(response.headers.get('etag')).toBeNull();
    expect(response.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=1');
  });
});
