import { beforeEach, expect, test } from 'vitest';
import { recordingKey } from '@/lib/core/storage-keys';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import {
  type Owner,
  startRestrictedOrigin,
  signJwt,
} from '@/media-worker/delivery/origin/testing/restricted-origin';

const { db, live, createOwner, createStreamWithPolicy, get, statusOf, rejectionOf, openMaster, storage } =
  await startRestrictedOrigin(await createTestDatabase());
/** Period 7, msn 6, start at 12 s, duration 2 s, wall-clock time, `i`: starts with a keyframe. */
const segmentName = '7_6_12000000_2000000_1900000012000_i.m4s';
let owner: Owner;
let playbackId: string;
let sessionId: string;

/** Creates a recorded stream that requires signed tokens, and whose live node has lost segment 6. */
beforeEach(async () => {
  owner = await createOwner();
  const stream = await createStreamWithPolicy(owner, { type: 'jwt' });
  ({ playbackId } = stream);
  const { teamId } = owner.ctx.actor;
  const sessionData = { teamId, parentId: stream.id, name: 'Town hall', playbackId };
  const data = {
    ...sessionData,
    record: true,
    recording: 'recording',
    playbackPolicy: { type: 'jwt' },
  } as const;
  sessionId = (await db.session.create({ data })).id;
  const store = (file: string, body: string) => storage.put(recordingKey(sessionId, file), Buffer.from(body));
  await store('stretch/source/7.json', JSON.stringify({ rendition: 'source', codecs: ['avc1.42c01e'] }));
  await store('hls/source/init-7.mp4', 'init');
  await store(`hls/source/${segmentName}`, 'stored segment');
  const { answer: answerAll } = live;
  live.answer = (path, response) => {
    if (path.endsWith('/6.m4s')) response.writeHead(404).end();
    else answerAll(path, response);
  };
});

const hls = (file: string) => `/hls/${playbackId}/${file}`;

test('stored segments of a live stream are only served to viewers who may watch the stream', async () => {
  for (const file of ['index.m3u8?dvr=1', 'source/index.m3u8?dvr=1', 'source/6.m4s', 'source/init-7.mp4'])
    expect(await rejectionOf(hls(file))).toBe('403 A token is required to watch this.');
  const tokenPath = await openMaster(hls(`index.m3u8?dvr=1&jwt=${await signJwt(owner.key, playbackId)}`));
  expect(await (await get(`${tokenPath}index.m3u8?dvr=1`)).text()).toContain('source/index.m3u8?dvr=1');
  const storedResponse = await get(`${tokenPath}source/6.m4s`);
  expect([storedResponse.status, await storedResponse.text()]).toEqual([200, 'stored segment']);
  expect(storedResponse.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
});

test('an unfinished recording that plays already is only served to viewers who may watch the stream', async () => {
  await db.session.update({ where: { id: sessionId }, data: { state: 'waiting', recording: 'waiting' } });
  const folder = `/recordings/${sessionId}`;
  for (const file of ['index.m3u8', 'source/index.m3u8', `source/${segmentName}`])
    expect(await statusOf(`${folder}/${file}`)).toBe(403);
  const tokenPath = await openMaster(`${folder}/index.m3u8?jwt=${await signJwt(owner.key, sessionId)}`);
  expect(await (await get(`${tokenPath}source/index.m3u8`)).text()).toContain(segmentName);
  expect(await (await get(`${tokenPath}source/${segmentName}`)).text()).toBe('stored segment');
});

test('after the session, a path of the stream no longer serves a stored segment', async () => {
  await db.session.update({ where: { id: sessionId }, data: { state: 'ended', recording: 'ready' } });
  const tokenPath = await openMaster(hls(`index.m3u8?jwt=${await signJwt(owner.key, playbackId)}`));
  expect(await statusOf(`${tokenPath}source/6.m4s`)).toBe(404);
});
