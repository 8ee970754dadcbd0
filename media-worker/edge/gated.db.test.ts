import { afterAll, expect, test } from 'vitest';
import { clientAddressFrom } from '@/lib/infra/egress/ip-address';
import { createLogger } from '@/lib/infra/logger';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { updateStream } from '@/lib/streams';
import { edgeNamed, viaOf } from '../http/via';
import { gatedOrigin, jwtOf, viewersOf } from '../origin/testing/gated-origin';
import { SeenViewers } from './seen-viewers';
import { startEdge } from './server';
import { newEdgeId } from './testing/origin-behind';
import { Upstream } from './upstream';

const { port, live, owner, gated } = await gatedOrigin(await testDatabase());
const name = edgeNamed(newEdgeId());
const upstream = new Upstream(`http://127.0.0.1:${port}`);
const addressOf = clientAddressFrom([]);
const viewers = new SeenViewers({ upstream, via: viaOf([name]), addressOf });
const edge = await startEdge({
  ...{ host: '127.0.0.1', port: 0, log: createLogger('test', 'silent'), name, upstream, viewers, addressOf },
  ...{ slices: null, isTrusted: () => false },
});
const { get, statusOf, refusalOf, enter } = viewersOf(edge.port);
afterAll(async () => {
  await edge.close();
  upstream.close();
});

test('an edge keeps nothing of what a viewer got by a token', async () => {
  const ada = await owner();
  const { id, playbackId } = await gated(ada, { type: 'jwt' });
  const path = `/hls/${playbackId}/index.m3u8`;
  expect(await refusalOf(path)).toBe('403 A token is required to watch this.');
  const inside = await enter(`${path}?jwt=${await jwtOf(ada.key, playbackId)}`);
  await enter(path, { 'Livepeer-Jwt': await jwtOf(ada.key, playbackId) });
  for (const file of ['source/index.m3u8', 'source/7.m4s', 'thumbnail.jpg']) {
    expect(await statusOf(inside + file)).toBe(200);
    expect(await statusOf(`/hls/${playbackId}/${file}`)).toBe(403);
  }
  expect(await statusOf(path)).toBe(403);
  const part = await get(`${inside}source/7.m4s`, { Range: 'bytes=0-4' });
  expect([part.status, await part.text()]).toEqual([206, 'bytes']);
  // Not even what it sent before is sent again.
  await updateStream(ada.ctx, { id, change: { playbackPolicy: { type: 'password', password: 'other' } } });
  await expect.poll(() => statusOf(`${inside}source/7.m4s`), { timeout: 4_000 }).toBe(403);
  expect(live.asked.join()).not.toContain('~');
});

test('an edge tells the origin which page plays', async () => {
  const { playbackId } = await gated(await owner(), {
    type: 'public',
    allowedOrigins: ['https://a.example'],
  });
  const path = `/hls/${playbackId}/index.m3u8`;
  expect(await statusOf(path, { Origin: 'https://b.example' })).toBe(403);
  const inside = await enter(path, { Origin: 'https://a.example' });
  expect(await statusOf(`${inside}source/7.m4s`)).toBe(200);
  expect(await statusOf(path)).toBe(403);
});
