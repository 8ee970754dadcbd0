import { expect, test } from 'vitest';
import { createLimiters, limitSizes } from '@/lib/http/limits/rate-limit';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLivepeerClient } from './testing/livepeer-client';
import { baseUrl, openTestApi } from './testing/test-api';

const limiters = createLimiters({ ...limitSizes, publicTotalsPerIp: { points: 40, seconds: 60 } });
const api = openTestApi(await createTestDatabase(), { limiters });
const { db } = api.services;
const [ada, eve] = [await api.createPerson('ada'), await api.createPerson('eve')];
const page = 'https://page.example';

const newPlaybackId = () => crypto.randomUUID().replaceAll('-', '').slice(0, 16);
const insertStream = async (change: object = {}) => {
  const { id, playbackId } = await db.stream.create({
    data: { teamId: ada.teamId, name: 'x', playbackId: newPlaybackId(), views: 12, ...change },
  });
  await db.deliveredDay.create({
    data: {
      teamId: ada.teamId,
      objectId: id,
      nodeId: crypto.randomUUID(),
      day: new Date('2026-01-31'),
      seconds: 90,
      bytes: 1,
      batch: 1,
    },
  });
  return playbackId;
};
const insertAsset = async (change: object = {}) => {
  const { playbackId } = await db.asset.create({
    data: {
      teamId: ada.teamId,
      name: 'x',
      sourceType: 'url',
      phase: 'ready',
      playbackId: newPlaybackId(),
      views: 3,
      deliveredMinutes: 2,
      ...change,
    },
  });
  return playbackId;
};
const readTotals = (playbackId: string, options: Parameters<typeof api.request>[2] = {}) =>
  api.request('GET', `/api/data/views/query/total/${playbackId}`, options);
const fromAddress = (address: string) => ({ headers: { 'x-forwarded-for': address } });

test('livepeer.metrics.getPublicViewership needs no key for public content', async () => {
  const livepeer = createLivepeerClient();
  const stream = await insertStream();
  const { data } = await livepeer.metrics.getPublicViewership(stream);
  // 90 s were delivered: 1.5 minutes.
  expect(data).toEqual({ playbackId: stream, viewCount: 12, playtimeMins: 1.5 });
  const asset = await insertAsset();
  expect((await livepeer.metrics.getPublicViewership(asset)).data).toMatchObject({ viewCount: 3 });
});

test('a page of any origin may read public totals', async () => {
  const response = await readTotals(await insertStream(), { origin: page });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, page]);
  const { secret } = await ada.newKey({ allowedOrigins: [page] });
  expect((await readTotals(await insertStream(), { origin: page, key: secret })).status).toBe(200);
});

test('without a key, restricted, suspended, deleted and unready content reads like content that does not exist', async () => {
  const hiddenIds = await Promise.all([
    insertStream({ playbackPolicy: { type: 'jwt' } }),
    insertStream({ playbackPolicy: { type: 'public', allowedOrigins: [page] } }),
    insertStream({ playbackPolicy: { type: 'public', blockedCountries: ['FR'] } }),
    insertAsset({ playbackPolicy: { type: 'jwt' } }),
    insertStream({ suspended: true }),
    insertStream({ deletedAt: new Date() }),
    insertAsset({ phase: 'processing' }),
    insertAsset({ deletedAt: new Date() }),
  ]);
  const results = await Promise.all(
    [...hiddenIds, newPlaybackId()].map(async (id) => {
      const response = await readTotals(id);
      return { status: response.status, body: (await response.json()) as { errors: string[] } };
    }),
  );
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
  expect(results[0]?.status).toBe(401);
  expect(results[0]?.body.errors[0]).toContain('public content');
});

test('a key reads the totals of its team and of public content', async () => {
  const restricted = await insertStream({ playbackPolicy: { type: 'jwt' } });
  expect((await readTotals(restricted, { key: ada.key })).status).toBe(200);
  expect((await readTotals(restricted, { key: eve.key })).status).toBe(404);
  expect((await readTotals(await insertStream(), { key: eve.key })).status).toBe(200);
  expect((await readTotals(await insertStream(), { key: 'wrong' })).status).toBe(401);
});

test('a browser with an invalid session cookie can read public totals', async () => {
  // The session token is not valid without its last characters.
  const cookie = ada.cookie.slice(0, -2);
  expect((await readTotals(await insertStream(), { cookie, origin: baseUrl })).status).toBe(200);
});

test('callers without a key have a rate limit for each IP address; a key is not subject to it', async () => {
  const stream = await insertStream();
  const statuses: number[] = [];
  for (let count = 0; count < 41; count += 1)
    statuses.push((await readTotals(stream, fromAddress('198.51.100.7'))).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(40);
  const rejected = await readTotals(stream, fromAddress('198.51.100.7'));
  expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect((await readTotals(stream, fromAddress('203.0.113.7'))).status).toBe(200);
  expect((await readTotals(stream, { key: ada.key, ...fromAddress('198.51.100.7') })).status).toBe(200);
});
