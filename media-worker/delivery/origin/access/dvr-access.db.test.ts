import { beforeEach, expect, test } from 'vitest';
import { recordingKey } from '@/lib/core/storage-keys';
import { testDatabase } from '@/lib/infra/testing/test-database';
import {
  type Owner,
  startRestrictedOrigin,
  signJwt,
} from '@/media-worker/delivery/origin/testing/restricted-origin';

const { db, live, createOwner, createStreamWithPolicy, get, statusOf, rejectionOf, enter, storage } =
  await startRestrictedOrigin(await testDatabase());
const segment = '7_6_12000000_2000000_1900000012000_i.m4s';
let ada: Owner;
let playbackId: string;
let sessionId: string;

/** A recorded stream with signed tokens; its live node has lost segment 6. */
beforeEach(async () => {
  ada = await createOwner();
  const stream = await createStreamWithPolicy(ada, { type: 'jwt' });
  ({ playbackId } = stream);
  const { teamId } = ada.ctx.actor;
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
  await store(`hls/source/${segment}`, 'stored segment');
  const { answer } = live;
  live.answer = (path, response) => {
    if (path.endsWith('/6.m4s')) response.writeHead(404).end();
    else answer(path, response);
  };
});

const hls = (file: string) => `/hls/${playbackId}/${file}`;

test('stored segments of a live stream are only served to viewers who may watch the stream', async () => {
  for (const file of ['index.m3u8?dvr=1', 'source/index.m3u8?dvr=1', 'source/6.m4s', 'source/init-7.mp4'])
    expect(await rejectionOf(hls(file))).toBe('403 A token is required to watch this.');
  const inside = await enter(hls(`index.m3u8?dvr=1&jwt=${await signJwt(ada.key, playbackId)}`));
  expect(await (await get(`${inside}index.m3u8?dvr=1`)).text()).toContain('source/index.m3u8?dvr=1');
  const storedResponse = await get(`${inside}source/6.m4s`);
  expect([storedResponse.status, await storedResponse.text()]).toEqual([200, 'stored segment']);
  expect(storedResponse.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
});

test('an unfinished recording that plays already is only served to viewers who may watch the stream', async () => {
  await db.session.update({ where: { id: sessionId }, data: { state: 'waiting', recording: 'waiting' } });
  const folder = `/recordings/${sessionId}`;
  for (const file of ['index.m3u8', 'source/index.m3u8', `source/${segment}`])
    expect(await statusOf(`${folder}/${file}`)).toBe(403);
  const inside = await enter(`${folder}/index.m3u8?jwt=${await signJwt(ada.key, sessionId)}`);
  expect(await (await get(`${inside}source/index.m3u8`)).text()).toContain(segment);
  expect(await (await get(`${inside}source/${segment}`)).text()).toBe('stored segment');
});

test('after the session, the paths of the stream serve none of its stored segments', async () => {
  await db.session.update({ where: { id: sessionId }, data: { state: 'ended', recording: 'ready' } });
  const inside = await enter(hls(`index.m3u8?jwt=${await signJwt(ada.key, playbackId)}`));
  expect(await statusOf(`${inside}source/6.m4s`)).toBe(404);
});
