import { beforeEach, describe, expect, test } from 'vitest';
import type { PlayerState } from '@/lib/core/audience/read-cmcd';
import type { AudienceMinute } from '@/lib/domain/audience';
import { AudienceCount } from './audience-count';

const minuteStart = 1_700_000_040_000;
const asset = { teamId: 'team', objectId: 'object' };
const shares = { country: 'DE', device: 'mobile', player: 'safari' };

let now: number;
let minutesByKey: Map<string, AudienceMinute>;
let isDatabaseAway: boolean;
let count: AudienceCount;

const write = (minutes: readonly AudienceMinute[]) => {
  if (isDatabaseAway) return Promise.reject(new Error('the database is away'));
  for (const minute of minutes) minutesByKey.set(`${minute.objectId} ${minute.startsAt}`, minute);
  return Promise.resolve();
};
// The two clocks have different origins, as in a real process.
const clock = { now: () => new Date(now), monotonic: () => now - minuteStart + 60_000 };

beforeEach(() => {
  now = minuteStart;
  isDatabaseAway = false;
  minutesByKey = new Map();
  count = new AudienceCount({ clock, write });
});

/** Adds a report of a player, `offsetMs` milliseconds after the start of the minute. */
function report(state: PlayerState, offsetMs: number, sessionId = 'a', fields: object = {}): void {
  now = minuteStart + offsetMs;
  count.add(asset, { sessionId, sequence: null, state, playerTimeMs: offsetMs, ...fields }, shares);
}

/** Writes all changes, and returns the minutes that are stored. */
async function writeMinutes(): Promise<AudienceMinute[]> {
  await count.flush();
  return [...minutesByKey.values()];
}

describe('an audience', () => {
  test('is summed up by minute, country, device and player', async () => {
    report('starting', 0);
    report('playing', 900, 'a', { height: 718, latencyMs: 2_400 });
    report('rebuffering', 10_900);
    report('playing', 12_900, 'a', { throughputKbps: 900, lowestKbps: 1_100 });
    const [first] = await writeMinutes();
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
    // 900 ms belong to the fourth bucket: 750 to 1,000 ms.
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
    const [first] = await writeMinutes();
    expect(first).toMatchObject({ stalls: 2, edgeStalls: 1, slowStalls: 0 });
  });

  test('counts a player once that sends events and request reports', async () => {
    report('starting', 0, 'a', { sequence: 1 });
    report('rebuffering', 500, 'a', { isFromRequest: true });
    report('playing', 500, 'a', { isFromRequest: true });
    report('playing', 900, 'a', { sequence: 2 });
    expect(await writeMinutes()).toMatchObject([{ views: 1, startups: 1, startupMs: 900, stalls: 0 }]);
  });

  describe('whose events have no buffer', () => {
    const stall = () => {
      report('playing', 0, 'a', { sequence: 1 });
      report('rebuffering', 55_000, 'a', { sequence: 2 });
      report('playing', 63_000, 'a', { sequence: 3 });
    };
    const reportRequest = (offsetMs: number, bufferMs: number) =>
      report('playing', offsetMs, 'a', { isFromRequest: true, bufferMs });
    const countsByMinute = async () =>
      (await writeMinutes()).map(({ startsAt, stalls, slowStalls }) => [
        startsAt - minuteStart,
        stalls,
        slowStalls,
      ]);

    test('gets its slow stall from the next request, once, in the minute in which it began', async () => {
      stall();
      expect(await countsByMinute()).toEqual([[0, 1, 0]]);
      reportRequest(63_100, 500);
      reportRequest(63_200, 900);
      expect(await countsByMinute()).toEqual([[0, 1, 1]]);
    });

    test('has no slow stall if the buffer was full, or may have been', async () => {
      stall();
      reportRequest(63_100, 9_000);
      reportRequest(71_000, 500);
      report('playing', 71_100, 'a', { sequence: 4 });
      reportRequest(71_200, 0);
      expect((await countsByMinute())[0]).toEqual([0, 1, 0]);
    });

    test('does not change a minute that is no longer in memory', async () => {
      report('playing', 0, 'a', { sequence: 1 });
      report('rebuffering', 5_000, 'a', { sequence: 2 });
      report('playing', 105_000, 'a', { sequence: 3 });
      await writeMinutes();
      now = minuteStart + 211_000;
      await writeMinutes();
      minutesByKey.clear();
      reportRequest(212_000, 0);
      expect(await writeMinutes()).toEqual([]);
    });
  });

  test('without event reports has views, stalls without a length, and played time', async () => {
    const fromRequest = { isFromRequest: true };
    report('starting', 0, 'a', fromRequest);
    report('playing', 2_000, 'a', fromRequest);
    report('rebuffering', 8_000, 'a', fromRequest);
    report('playing', 8_000, 'a', fromRequest);
    report('playing', 10_000, 'a', fromRequest);
    expect(await writeMinutes()).toMatchObject([
      { views: 1, startupMs: 2_000, stalls: 1, stallMs: 0, playedMs: 8_000 },
    ]);
  });

  test('has a stall in the minute in which it began', async () => {
    report('playing', 0);
    report('rebuffering', 59_000);
    await writeMinutes();
    report('playing', 70_000);
    const allMinutes = await writeMinutes();
    expect(
      allMinutes.map(({ startsAt, stallMs, stalledViews }) => [
        startsAt - minuteStart,
        stallMs,
        stalledViews,
      ]),
    ).toEqual([[0, 11_000, 1]]);
  });

  test('counts a viewer as present until the view ends or no report arrives', async () => {
    report('playing', 0, 'a');
    report('playing', 0, 'b');
    now = minuteStart + 5_000;
    count.sample();
    report('ended', 5_000, 'b');
    now = minuteStart + 10_000;
    count.sample();
    now = minuteStart + 100_000;
    count.sample();
    // Two viewers for five seconds, and one of them for five more.
    const [firstMinute, ...laterMinutes] = await writeMinutes();
    expect([
      firstMinute?.peak,
      firstMinute?.viewers,
      firstMinute?.presentMs,
      firstMinute?.devices,
    ]).toMatchObject([...[2, 1, 15_000], { mobile: { viewers: 1, presentMs: 15_000 } }]);
    expect(laterMinutes).toMatchObject([{ viewers: 0, presentMs: 0 }]);
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
  ])('counts a viewer who leaves before the first frame, and %s, as left once', async (_name, leave) => {
    report('starting', 0);
    leave();
    now += 600_000;
    count.sample();
    const allMinutes = await writeMinutes();
    expect(allMinutes.reduce((sum, { left }) => sum + left, 0)).toBe(1);
  });

  test('does not count a player that only preloads', async () => {
    report('preloading', 0);
    count.sample();
    const [first] = await writeMinutes();
    expect([first?.views, first?.peak]).toEqual([0, 0]);
  });

  test('is written completely after a database outage, and then dropped', async () => {
    report('starting', 0);
    isDatabaseAway = true;
    await expect(count.flush()).rejects.toThrow('away');
    report('playing', 500);
    isDatabaseAway = false;
    expect(await writeMinutes()).toMatchObject([{ views: 1, startups: 1 }]);
    minutesByKey.clear();
    now += 600_000;
    expect(await writeMinutes()).toEqual([]);
    report('playing', 600_000, 'c');
    expect(await writeMinutes()).toHaveLength(1);
  });

  test('keeps a limited number of players and minutes', async () => {
    count = new AudienceCount({ clock, write, maxMinutes: 1, maxViews: 2 });
    for (const session of ['a', 'b', 'c', 'd']) report('starting', 0, session);
    count.add(
      { ...asset, objectId: 'other' },
      { sessionId: 'a', sequence: null, state: 'playing', playerTimeMs: 0 },
      shares,
    );
    const allMinutes = await writeMinutes();
    // Only two views are kept, so three of five were evicted, before their first frame.
    expect(allMinutes).toMatchObject([{ objectId: 'object', views: 4, left: 3 }]);
  });
});
