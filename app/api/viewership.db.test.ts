import { describe, expect, test } from 'vitest';
import { createEmptySums } from '@/lib/core/audience/audience-sums';
import { type AudienceMinute, recordAudience } from '@/lib/domain/audience';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLivepeerClient, sendStudioRequest } from './testing/livepeer-client';
import { baseUrl, openTestApi } from './testing/test-api';

const api = openTestApi(await createTestDatabase());
const { services } = api;
const { db } = services;
const [ada, eve] = [await api.createPerson('ada'), await api.createPerson('eve')];
const livepeer = createLivepeerClient(ada.key);
const { teamId } = ada;
const system = { ...services, actor: { kind: 'system' } } as const;

const newPlaybackId = () => crypto.randomUUID().replaceAll('-', '').slice(0, 16);
const stream = await db.stream.create({
  data: { teamId, name: 'x', playbackId: newPlaybackId(), creatorId: 'nora' },
});
const asset = await db.asset.create({
  data: { teamId, name: 'x', playbackId: newPlaybackId(), sourceType: 'url' },
});
const session = await db.session.create({
  data: { teamId, parentId: stream.id, playbackId: stream.playbackId, name: 'x', recording: 'ready' },
});
const nodeId = crypto.randomUUID();
await db.node.create({ data: { id: nodeId, role: 'origin', url: 'http://127.0.0.1:1/origin' } });

const dayStartMs = Date.parse('2026-01-31T00:00:00Z');
const counts = {
  views: 10,
  startups: 8,
  startupMs: 8_000,
  left: 2,
  failures: 1,
  stallMs: 60_000,
  playedMs: 540_000,
};
/** The audience of one object in one minute. */
const createMinute = (objectId: string, startsAt: number, more: object = {}): AudienceMinute => ({
  ...createEmptySums(),
  teamId,
  objectId,
  startsAt,
  ...counts,
  countries: { DE: { views: 6, playedMs: 60_000 }, FR: { views: 4 } },
  devices: { mobile: counts },
  players: { safari: counts },
  ...more,
});
const now = Date.now();
await recordAudience(system, nodeId, [
  createMinute(stream.id, dayStartMs + 60_000),
  createMinute(stream.id, dayStartMs + 3_660_000),
  createMinute(asset.id, dayStartMs + 60_000),
  createMinute(session.id, dayStartMs + 120_000),
  createMinute(stream.id, now - (now % 60_000), { viewers: 5, countries: { DE: { views: 1, viewers: 4 } } }),
]);

const from = new Date(dayStartMs);
const to = new Date(dayStartMs + 86_400_000);
const queryViewership = async (path: string, key = ada.key, headers = {}) => {
  const response = await api.request('GET', `/api/data/views/${path}`, { key, headers });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

describe('viewership', () => {
  test('livepeer.metrics.getViewership returns totals, and sums by hour and by dimension', async () => {
    const all = await livepeer.metrics.getViewership({ from, to });
    // Four minutes in the range, with 10 views and 9 minutes of playback each. Of 10 minutes, one was a stall;
    // of 10 views, one failed and two left before the start (in percent); 8 startups took 8 s.
    const sums = { rebufferRatio: 0.1, errorRate: 0.1, exitsBeforeStart: 20, ttffMs: 1_000 };
    expect(all.data).toEqual([{ viewCount: 40, playtimeMins: 36, ...sums }]);
    const hours = await livepeer.metrics.getViewership({
      from: dayStartMs,
      to: to.getTime(),
      playbackId: stream.playbackId,
      timeStep: 'hour' as never,
    });
    expect(
      hours.data?.map(({ timestamp, viewCount, playbackId }) => [timestamp, viewCount, playbackId]),
    ).toEqual([
      [dayStartMs, 10, stream.playbackId],
      [dayStartMs + 3_600_000, 10, stream.playbackId],
    ]);
    const breakdownBy = ['playbackId', 'country'] as never;
    const { data = [] } = await livepeer.metrics.getViewership({ from, to, assetId: asset.id, breakdownBy });
    expect(
      data.map(({ playbackId, country, viewCount, playtimeMins }) => [
        playbackId,
        country,
        viewCount,
        playtimeMins,
      ]),
    ).toEqual([
      [asset.playbackId, 'DE', 6, 1],
      [asset.playbackId, 'FR', 4, 0],
    ]);
  });

  test('livepeer.metrics.getCreatorViewership counts a stream including its recordings', async () => {
    const { data } = await livepeer.metrics.getCreatorViewership({
      from,
      to,
      streamId: stream.id,
      creatorId: 'nora',
    });
    // Two minutes of the stream and one of its recording, with 10 views each.
    expect(data).toMatchObject([{ viewCount: 30, creatorId: 'nora' }]);
  });

  test('livepeer.metrics.getRealtimeViewership returns the current viewers of running origins', async () => {
    const readViewers = async (breakdownBy: readonly string[]) =>
      (await livepeer.metrics.getRealtimeViewership(undefined, undefined, breakdownBy as never)).data;
    expect(await readViewers([])).toEqual([{ viewCount: 5, errorRate: 0.1 }]);
    expect(await readViewers(['playbackId', 'country'])).toEqual([
      { playbackId: stream.playbackId, country: 'DE', viewCount: 4, errorRate: 0 },
    ]);
    await db.node.update({ where: { id: nodeId }, data: { seenAt: new Date(now - 60_000) } });
    expect(await readViewers([])).toEqual([]);
  });

  test('shows nothing to another team', async () => {
    const range = `from=${dayStartMs}&to=${to.getTime()}`;
    for (const path of ['now', `query?${range}`, `query/creator?${range}&streamId=${stream.id}`])
      expect(JSON.parse((await queryViewership(path, eve.key)).text)).toEqual([]);
  });

  test('is available as CSV', async () => {
    const range = `query?from=${dayStartMs}&to=${to.getTime()}&breakdownBy[]=browser`;
    const csv =
      'browser,viewCount,playtimeMins,ttffMs,rebufferRatio,errorRate,exitsBeforeStart\r\nsafari,40,36,1000,0.1,0.1,20\r\n';
    const expected = { status: 200, type: 'text/csv; charset=utf-8; header=present', text: csv };
    expect(await queryViewership(`${range}&format=csv`)).toEqual(expected);
    expect(await queryViewership(range, ada.key, { accept: 'text/csv' })).toEqual(expected);
    expect((await queryViewership(`${range}&format=json`, ada.key, { accept: 'text/csv' })).type).toContain(
      'json',
    );
  });

  test('is available as CSV for Studio clients', async () => {
    const url = `${baseUrl}/api/studio/data/views/query?from=${dayStartMs}&to=${to.getTime()}&format=csv`;
    const response = await sendStudioRequest(
      new Request(url, { headers: { authorization: `Bearer ${ada.key}` } }),
    );
    expect((await response.text()).split('\r\n')[1]).toBe('40,36,1000,0.1,0.1,20');
  });

  test.each([
    ['query?from=2&to=1', /^from: must be before/],
    ['query?from=yesterday', /^from: must be a Unix time/],
    ['query?from=0', /^from: at most 400 days/],
    ['query?breakdownBy[]=country&breakdownBy[]=device', /^breakdownBy\[\].*playbackId, one other, or both/],
    ['query?breakdownBy[]=viewerId', /^breakdownBy\[\].*must be one of/],
    ['query?timeStep=minute', /^timeStep/],
    ["query?streamId=x'", /^streamId/],
  ])('rejects %s', async (path, message) => {
    const { status, text } = await queryViewership(path);
    expect(status).toBe(422);
    expect((JSON.parse(text) as { errors: string[] }).errors[0]).toMatch(message);
  });
});
