import { beforeEach, describe, expect, test } from 'vitest';
import type { PlayerState } from '@/lib/core/audience/read-cmcd';
import type { AudienceMinute } from '@/lib/domain/audience';
import { AudienceCount } from './audience-count';

const minuteStart = 1_700_000_040_000;
const asset = { teamId: 'team', objectId: 'object' };
const shares = { country: 'DE', device: 'mobile', player: 'safari' };

let now: number;
let minutesByKey: Map<string, AudienceMinute>;
let isAway: boolean;
let count: AudienceCount;

const write = (minutes: readonly AudienceMinute[]) => {
  if (isAway) return Promise.reject(new Error('the database is away'));
  for (const minute of minutes) minutesByKey.set(`${minute.objectId} ${minute.startsAt}`, minute);
  return Promise.resolve();
};
// The two clocks have different origins, as in a real process.
const clock = { now: () => new Date(now), monotonic: () => now - minuteStart + 60_000 };

beforeEach(() => {
  now = minuteStart;
  isAway = false;
  minutesByKey = new Map();
  count = new AudienceCount({ clock, write });
});

function report(state: PlayerState, at: number, session = 'a', more: object = {}): void {
  now = minuteStart + at;
  count.add(asset, { sessionId: session, sequence: null, state, at, ...more }, shares);
}

async function minutes(): Promise<AudienceMinute[]> {
  await count.flush();
  return [...minutesByKey.values()];
}

describe('an audience', () => {
  test('is summed up by minute and by category', async () => {
    report('starting', 0);
    report('playing', 900, 'a', { height: 718, latencyMs: 2_400 });
    report('rebuffering', 10_900);
    report('playing', 12_900, 'a', { throughputKbps: 900, lowestKbps: 1_100 });
    const [first] = await minutes();
    const counts = { views: 1, startups: 1, startupMs: 900, stalls: 1, stallMs: 2_000, playedMs: 10_000 };
    expect(first).toMatchObject({
      ...counts,
      startsAt: minuteStart,
      stalledViews: 1,
      slowStalls: 1,
      left: 0,
      failures: 0,
      heights: { 720: 10_000 },
      countries: { DE: counts },
      devices: { mobile: counts },
      players: { safari: counts },
    });
    expect(first?.startupTimes).toEqual([0, 0, 0, 1]);
    expect(first?.latencies.reduce((sum, latency) => sum + latency, 0)).toBe(1);
  });

  test('counts the stalls of viewers whose edge waited for its origin', async () => {
    for (const [viewer, edgeWaited] of [
      ['a', true],
      ['b', false],
    ] as const) {
      report('starting', 0, viewer);
      report('playing', 900, viewer, { edgeWaited });
      report('rebuffering', 10_900, viewer, { edgeWaited });
      report('playing', 12_900, viewer, { edgeWaited });
    }
    const [first] = await minutes();
    expect(first).toMatchObject({ stalls: 2, edgeStalls: 1, slowStalls: 0 });
  });

  test('counts a player once that sends events and request reports', async () => {
    report('starting', 0, 'a', { sequence: 1 });
    report('rebuffering', 500, 'a', { ofRequest: true });
    report('playing', 500, 'a', { ofRequest: true });
    report('playing', 900, 'a', { sequence: 2 });
    expect(await minutes()).toMatchObject([{ views: 1, startups: 1, startupMs: 900, stalls: 0 }]);
  });

  describe('whose events have no buffer', () => {
    const stall = () => {
      report('playing', 0, 'a', { sequence: 1 });
      report('rebuffering', 55_000, 'a', { sequence: 2 });
      report('playing', 63_000, 'a', { sequence: 3 });
    };
    const request = (at: number, bufferMs: number) =>
      report('playing', at, 'a', { ofRequest: true, bufferMs });
    const slowStalls = async () =>
      (await minutes()).map(({ startsAt, stalls, slowStalls }) => [
        startsAt - minuteStart,
        stalls,
        slowStalls,
      ]);

    test('has its slow stall, once, in the minute in which it began', async () => {
      stall();
      expect(await slowStalls()).toEqual([[0, 1, 0]]);
      request(63_100, 500);
      request(63_200, 900);
      expect(await slowStalls()).toEqual([[0, 1, 1]]);
    });

    test('has no slow stall if the buffer was full, or may have been', async () => {
      stall();
      request(63_100, 9_000);
      request(71_000, 500);
      report('playing', 71_100, 'a', { sequence: 4 });
      request(71_200, 0);
      expect((await slowStalls())[0]).toEqual([0, 1, 0]);
    });

    test('does not change a minute that is no longer in memory', async () => {
      report('playing', 0, 'a', { sequence: 1 });
      report('rebuffering', 5_000, 'a', { sequence: 2 });
      report('playing', 105_000, 'a', { sequence: 3 });
      await minutes();
      now = minuteStart + 211_000;
      await minutes();
      minutesByKey.clear();
      request(200_000 + 12_000, 0);
      expect(await minutes()).toEqual([]);
    });
  });

  test('without event reports has views, stalls without a length, and played time', async () => {
    const ofRequest = { ofRequest: true };
    report('starting', 0, 'a', ofRequest);
    report('playing', 2_000, 'a', ofRequest);
    report('rebuffering', 8_000, 'a', ofRequest);
    report('playing', 8_000, 'a', ofRequest);
    report('playing', 10_000, 'a', ofRequest);
    expect(await minutes()).toMatchObject([
      { views: 1, startupMs: 2_000, stalls: 1, stallMs: 0, playedMs: 8_000 },
    ]);
  });

  test('has a stall in the minute in which it began', async () => {
    report('playing', 0);
    report('rebuffering', 59_000);
    await minutes();
    report('playing', 70_000);
    const allMinutes = await minutes();
    expect(
      allMinutes.map(({ startsAt, stallMs, stalledViews }) => [
        startsAt - minuteStart,
        stallMs,
        stalledViews,
      ]),
    ).toEqual([[0, 11_000, 1]]);
  });

  test('is present until it ends or falls silent', async () => {
    report('playing', 0, 'a');
    report('playing', 0, 'b');
    now = minuteStart + 5_000;
    count.sample();
    report('ended', 5_000, 'b');
    now = minuteStart + 10_000;
    count.sample();
    now = minuteStart + 100_000;
    count.sample();
    const [first, ...later] = await minutes();
    expect([first?.peak, first?.viewers, first?.presentMs, first?.devices]).toMatchObject([
      ...[2, 1, 15_000],
      { mobile: { viewers: 1, presentMs: 15_000 } },
    ]);
    expect(later).toMatchObject([{ viewers: 0, presentMs: 0 }]);
  });

  test.each([
    ['says so', () => report('quit', 4_000)],
    [
      'is silent',
      () => {
        now = minuteStart + 300_001;
        count.sample();
      },
    ],
  ])('that leaves before the first frame, and %s, counts as left once', async (_name, leave) => {
    report('starting', 0);
    leave();
    now += 600_000;
    count.sample();
    const allMinutes = await minutes();
    expect(allMinutes.reduce((sum, { left }) => sum + left, 0)).toBe(1);
  });

  test('that only preloads is not counted', async () => {
    report('preloading', 0);
    count.sample();
    const [first] = await minutes();
    expect([first?.views, first?.peak]).toEqual([0, 0]);
  });

  test('is written completely after a database outage, and then dropped', async () => {
    report('starting', 0);
    isAway = true;
    await expect(count.flush()).rejects.toThrow('away');
    report('playing', 500);
    isAway = false;
    expect(await minutes()).toMatchObject([{ views: 1, startups: 1 }]);
    minutesByKey.clear();
    now += 600_000;
    expect(await minutes()).toEqual([]);
    report('playing', 600_000, 'c');
    expect(await minutes()).toHaveLength(1);
  });

  test('keeps a limited number of players and minutes', async () => {
    count = new AudienceCount({ clock, write, maxMinutes: 1, maxViews: 2 });
    for (const session of ['a', 'b', 'c', 'd']) report('starting', 0, session);
    count.add(
      { ...asset, objectId: 'other' },
      { sessionId: 'a', sequence: null, state: 'playing', at: 0 },
      shares,
    );
    const allMinutes = await minutes();
    // Three views were evicted for others.
    expect(allMinutes).toMatchObject([{ objectId: 'object', views: 4, left: 3 }]);
  });
});
