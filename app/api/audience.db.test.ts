import { expect, test } from 'vitest';
import type { Audience } from '@/lib/contract/audience/audience';
import { createEmptySums } from '@/lib/core/audience/audience-sums';
import { type AudienceMinute, explainStalls, recordAudience } from '@/lib/domain/audience';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi, type Person } from './testing/test-api';

const api = openTestApi(await createTestDatabase());
const { services } = api;
const { db } = services;
const [ada, eve] = [await api.createPerson('ada'), await api.createPerson('eve')];
const system = { ...services, actor: { kind: 'system' } } as const;
const { teamId } = ada;

const MINUTE_MS = 60_000;
const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
const createPlaybackId = () => crypto.randomUUID().replaceAll('-', '').slice(0, 16);
const stream = await db.stream.create({
  data: { teamId, name: 'Town hall', playbackId: createPlaybackId() },
});
const asset = await db.asset.create({
  data: { teamId, name: 'Video', playbackId: createPlaybackId(), sourceType: 'url' },
});
const sessionTimes = { createdAt: new Date(now - 30 * MINUTE_MS), endedAt: new Date(now - 10 * MINUTE_MS) };
const session = await db.session.create({
  data: { teamId, parentId: stream.id, playbackId: stream.playbackId, name: 'x', ...sessionTimes },
});

const audienceMinute = (objectId: string, minutesAgo: number, fields: object): AudienceMinute => ({
  ...createEmptySums(),
  teamId,
  objectId,
  startsAt: now - minutesAgo * MINUTE_MS,
  playedMs: 60_000,
  ...fields,
});
/** Four views of which each stalled for 5 s, within a minute of playback. */
const stallSums = { stalls: 4, stallMs: 20_000, stalledViews: 4, slowStalls: 4, playedMs: 60_000 };
await recordAudience(system, crypto.randomUUID(), [
  audienceMinute(stream.id, 20, {
    peak: 5,
    views: 8,
    startups: 8,
    startupTimes: [0, 4, 4],
    presentMs: 240_000,
  }),
  audienceMinute(stream.id, 3, {
    peak: 3,
    ...stallSums,
    heights: { 720: 45_000, 360: 15_000 },
    overloadedMs: 30_000,
  }),
  audienceMinute(stream.id, 2, {
    peak: 3,
    ...stallSums,
    overloadedMs: 20_000,
    devices: { tv: { playedMs: 1 } },
  }),
  audienceMinute(asset.id, 20, { peak: 4, views: 2, playedMs: 120_000, latencies: [2] }),
]);
// The report of another node about the same minute.
await recordAudience(system, crypto.randomUUID(), [
  audienceMinute(stream.id, 20, { peak: 2, startupTimes: [0, 0, 4] }),
]);
await explainStalls(system);

const readAudience = async (query: string, { key }: Person = ada) => {
  const response = await api.request('GET', `/api/data/audience${query}`, { key });
  return { status: response.status, body: (await response.json()) as Audience };
};

test('the audience of a stream has figures, points and incidents', async () => {
  const { body } = await readAudience(`?streamId=${stream.id}`);
  expect(body).toMatchObject({
    measured: true,
    viewers: 0,
    // The viewers of both nodes in the same minute: 5 and 2.
    peak: 7,
    peakAt: now - 20 * MINUTE_MS,
    views: 8,
    playedMinutes: 4,
    // Twelve startups: four within 250 to 500 ms, eight within 500 to 750 ms. The median is the sixth, and 95 % are 11.4.
    startupMs: { half: 563, most: 731 },
    latencyMs: { half: null, most: null },
    stalls: 8,
    stalledViews: 8,
    // Two minutes with stalls of 20 s, and four minutes of playback.
    stalledShare: 40 / 280,
    top: [],
    heights: [
      { name: '720', share: 0.75 },
      { name: '360', share: 0.25 },
    ],
    devices: [{ name: 'tv', share: 1 }],
    incidents: [
      {
        from: now - 3 * MINUTE_MS,
        to: now - MINUTE_MS,
        cause: 'server_overloaded',
        measure: 50_000,
        stalledMs: 40_000,
        stalledViews: 4,
        viewers: 3,
        object: null,
      },
    ],
    causes: [{ cause: 'server_overloaded', share: 1 }],
  });
  const points = new Map(body.points.map((point) => [point.at, point]));
  expect(body.step).toBe(MINUTE_MS);
  // The views were present for 240 s of this minute: 4 viewers on average.
  expect(points.get(now - 20 * MINUTE_MS)).toMatchObject({ viewers: 4, views: 8, startupHalfMs: 563 });
  expect(points.get(now - 3 * MINUTE_MS)).toMatchObject({
    stalledShare: 0.25,
    startupHalfMs: null,
    bitrate: null,
  });
  expect(points.get(now - 40 * MINUTE_MS)).toMatchObject({ viewers: 0, stalledShare: 0 });
});

test('the audience of a team has the most watched objects; that of a session has its own period', async () => {
  const { body } = await readAudience('?minutes=1440');
  // The stream has 8 views and a peak of 7; the asset adds 2 and 4.
  expect([body.views, body.peak]).toEqual([10, 11]);
  expect(body.top.map(({ type, name, playedMinutes }) => [type, name, playedMinutes])).toEqual([
    ['stream', 'Town hall', 4],
    ['asset', 'Video', 2],
  ]);
  expect(body.incidents.map(({ object }) => object)).toEqual([
    { type: 'stream', id: stream.id, name: 'Town hall' },
  ]);
  const { body: sessionAudience } = await readAudience(`?sessionId=${session.id}`);
  expect([sessionAudience.views, sessionAudience.stalls, sessionAudience.to]).toEqual([
    8,
    0,
    sessionTimes.endedAt.getTime(),
  ]);
});

test('the audience of an object is found by its own team only, and invalid queries are rejected', async () => {
  for (const query of [`?streamId=${stream.id}`, `?assetId=${asset.id}`, `?sessionId=${session.id}`])
    expect((await readAudience(query, eve)).status).toBe(404);
  expect((await readAudience('', eve)).body).toMatchObject({ views: 0, top: [], incidents: [] });
  for (const query of [
    `?streamId=${stream.id}&assetId=${asset.id}`,
    '?minutes=0',
    '?minutes=525601',
    '?minutes=x',
  ])
    expect((await readAudience(query)).status).toBe(422);
});

test('the audience of a team that switched viewer reports off is not measured', async () => {
  await db.team.update({ where: { id: teamId }, data: { viewerReports: false } });
  expect((await readAudience('')).body.measured).toBe(false);
});
