import { describe, expect, test } from 'vitest';
import { recordingKey } from '@/lib/core/storage-keys';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { authorizePublish, markActive, markIdle } from '@/lib/domain/streams';
import {
  type Owner,
  restrictedOrigin,
  signJwt,
  master,
  media,
} from '@/media-worker/delivery/origin/testing/restricted-origin';

const { ctx, db, live, storage, node, owner, restrictedStream, get, statusOf, readStream } =
  await restrictedOrigin(await testDatabase());

/** A live, recorded stream and the playback id of its child-session stream object. */
async function publishedStream(owner: Owner, policy: { type: 'jwt' } | null) {
  const { id, playbackId } = await restrictedStream(owner, policy);
  await db.stream.update({ where: { id }, data: { record: true } });
  const nodeId = await node();
  const publish = await authorizePublish(ctx, { streamId: id, nodeId });
  if (!publish) throw new Error('not authorized');
  const guard = { streamId: id, nodeId, publishNumber: publish.publishNumber };
  await markActive(ctx, { ...guard, issues: [] });
  const { sessionId } = publish;
  const put = (file: string, text: string) => storage.put(recordingKey(sessionId, file), Buffer.from(text));
  await put('hls/index.m3u8', master);
  await put('hls/source/index.m3u8', media);
  const end = async () => {
    await markIdle(ctx, guard);
    await db.session.update({ where: { id: sessionId }, data: { recording: 'ready' } });
    live.answer = (_path, response) => response.writeHead(404).end();
  };
  return { playbackId, sessionId, child: (await readStream(sessionId)).playbackId, end };
}

/** Requests the first URL of a playlist, as players do. */
async function follow(path: string) {
  const response = await get(path);
  expect(response.status).toBe(200);
  const uri = (await response.text()).split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? '';
  return new URL(uri, `http://origin${path}`).pathname;
}

describe('the playback id of a child-session stream object', () => {
  test.each(['', '?ll=0'])('plays the stream while it is live, and then the recording%s', async (ll) => {
    const { playbackId, sessionId, child, end } = await publishedStream(await owner(), null);
    const path = `/hls/${child}/index.m3u8${ll}`;
    const playlist = await follow(path);
    expect(playlist).toBe(`/hls/${playbackId}/source/index.m3u8`);
    expect(await (await get(playlist)).text()).toBe(media);
    expect(await statusOf(`/hls/${child}/thumbnail.jpg`)).toBe(200);
    await end();
    const recordingPlaylist = await follow(path);
    expect(recordingPlaylist).toBe(`/recordings/${sessionId}/source/index.m3u8`);
    expect(await (await get(recordingPlaylist)).text()).toBe(media);
    expect(await statusOf(`/hls/${child}/thumbnail.jpg`)).toBe(404);
  });

  test('does not bypass access control', async () => {
    const ada = await owner();
    const { playbackId, sessionId, child, end } = await publishedStream(ada, { type: 'jwt' });
    const path = `/hls/${child}/index.m3u8`;
    expect(await statusOf(path)).toBe(403);
    expect(await statusOf(`/hls/${child}/thumbnail.jpg`)).toBe(403);
    const jwt = await signJwt(ada.key, playbackId);
    const playlist = await follow(`${path}?jwt=${jwt}`);
    expect(playlist).toMatch(new RegExp(`^/hls/${playbackId}/~[^/]+/source/index\\.m3u8$`));
    expect(await statusOf(playlist)).toBe(200);
    await end();
    expect(await statusOf(path)).toBe(403);
    const recordingPlaylist = await follow(`${path}?jwt=${await signJwt(ada.key, sessionId)}`);
    expect(recordingPlaylist).toMatch(new RegExp(`^/recordings/${sessionId}/~[^/]+/source/index\\.m3u8$`));
    expect(await statusOf(recordingPlaylist)).toBe(200);
  });

  test('ignores conditions that a cache made for another answer', async () => {
    const { child, end } = await publishedStream(await owner(), null);
    await end();
    const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': '"x"', Range: 'bytes=0-1' };
    const response = await get(`/hls/${child}/index.m3u8`, headers);
    expect([response.status, response.headers.get('content-encoding'), response.headers.get('etag')]).toEqual(
      [...[200, null, null]],
    );
    expect(response.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=1');
  });
});
