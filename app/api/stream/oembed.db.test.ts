import { expect, test } from 'vitest';
import type { OEmbed } from '@/lib/contract/streams/oembed';
import { findUnreadyAsset } from '@/lib/domain/assets';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { baseUrl, openTestApi } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const person = await api.createPerson();
const createdStream = await api.request('POST', '/api/stream', {
  key: person.key,
  body: { name: 'Choir "><script>' },
});
const { playbackId } = (await createdStream.json()) as { playbackId: string };

async function requestOembed(url: string, moreQuery = '') {
  const response = await api.request('GET', `/api/oembed?url=${encodeURIComponent(url)}${moreQuery}`);
  return { status: response.status, body: (await response.json()) as OEmbed, response };
}

test('the page of a stream has a frame with its player, for any site', async () => {
  const path = `/api/oembed?url=${encodeURIComponent(`${baseUrl}/watch/${playbackId}`)}`;
  const response = await api.request('GET', path, { origin: 'https://blog.example' });
  expect(response.headers.get('access-control-allow-origin')).toBe('https://blog.example');
  const body = (await response.json()) as OEmbed;
  expect(body).toMatchObject({
    version: '1.0',
    type: 'video',
    width: 640,
    height: 360,
    title: 'Choir "><script>',
  });
  expect(body.html).toContain(`src="${baseUrl}/embed/${playbackId}" width="640" height="360"`);
  // A title with quotes and brackets does not end the attribute.
  expect(body.html).toContain('title="Choir &quot;>&lt;script>"');
  expect(body.html).not.toContain('<script>');
});

test.each([
  ['&maxwidth=320', 320, 180],
  ['&maxheight=90', 160, 90],
  ['&maxwidth=4000&maxheight=4000', 640, 360],
  ['&maxwidth=1', 1, 1],
])('the frame fits %s', async (more, width, height) => {
  expect((await requestOembed(`${baseUrl}/embed/${playbackId}`, more)).body).toMatchObject({ width, height });
});

test.each([
  `https://elsewhere.example/watch/${playbackId}`,
  `${baseUrl}/streams/${playbackId}`,
  `${baseUrl}/watch/abcdabcdabcdabcd`,
  `${baseUrl}/watch/"onload="alert(1)`,
  'javascript:alert(1)',
  '',
])('the URL %j is not found', async (url) => expect((await requestOembed(url)).status).toBe(404));

test('restricted content has no thumbnail, and its frame no token of the viewer', async () => {
  const body = { name: 'Rehearsal', playbackPolicy: { type: 'jwt' } };
  const restrictedStream = await api.request('POST', '/api/stream', { key: person.key, body });
  const { id, playbackId: hidden } = (await restrictedStream.json()) as Record<'id' | 'playbackId', string>;
  await api.services.db.stream.update({ where: { id }, data: { isActive: true } });
  const { status, body: shownEmbed } = await requestOembed(`${baseUrl}/watch/${hidden}?jwt=a.b.c`);
  expect(status).toBe(200);
  expect(shownEmbed).not.toHaveProperty('thumbnail_url');
  expect(shownEmbed.html).toContain(`src="${baseUrl}/embed/${hidden}"`);
});

test('formats other than JSON are rejected', async () => {
  expect((await requestOembed(`${baseUrl}/watch/${playbackId}`, '&format=xml')).status).toBe(422);
});

test('an asset that is not ready reports its progress and has no frame yet', async () => {
  const { db } = api.services;
  const id = 'p'.repeat(16);
  const data = { teamId: person.teamId, name: 'x', playbackId: id, sourceType: 'url' };
  const asset = await db.asset.create({ data: { ...data, phase: 'processing', progress: 0.42 } });
  expect(await findUnreadyAsset(person.ctx, id)).toEqual({ name: 'x', failed: false, progress: 0.42 });
  expect((await requestOembed(`${baseUrl}/watch/${id}`)).status).toBe(404);
  const update = (change: object) => db.asset.update({ where: { id: asset.id }, data: change });
  await update({ phase: 'waiting', progress: null });
  expect(await findUnreadyAsset(person.ctx, id)).toEqual({ name: 'x', failed: false, progress: null });
  await update({ phase: 'failed' });
  expect(await findUnreadyAsset(person.ctx, id)).toEqual({ name: 'x', failed: true, progress: null });
  await update({ phase: 'ready', videoSpec: { format: 'mp4', duration: 5, tracks: [] } });
  expect(await findUnreadyAsset(person.ctx, id)).toBeNull();
  expect((await requestOembed(`${baseUrl}/watch/${id}`)).body).toMatchObject({
    title: 'x',
    thumbnail_width: 640,
  });
  await update({ deletedAt: new Date(), phase: 'processing' });
  expect(await findUnreadyAsset(person.ctx, id)).toBeNull();
});
