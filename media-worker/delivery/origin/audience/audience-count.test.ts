import { beforeEach, describe, expect, test } from 'vitest';
import type { PlayerState } from '@/lib/core/audience/read-cmcd';
import type { AudienceMinute } from '@/lib/domain/audience';
import { AudienceCount } from './audience-count';

const minute = 1_700_000_040_000;
const asset = { teamId: 'team', objectId: 'object' };
const shares = { country: 'DE', device: 'mobile', player: 'safari' };

let now: number;
let minutesByKey: Map<string, AudienceMinute>;
let isAway: boolean;
let count: AudienceCount;

const write = (minutes: readonly AudienceMinute[]) => {
  if (isAway) return Promise.reject(new Error('the database is away'));
  for (const each of minutes) minutesByKey.set(`${each.objectId} ${each.startsAt}`, each);
  return Promise.resolve();
};
const clock = { now: () => new Date(now), monotonic: () => now };

beforeEach(() => {
  now = minute;
  isAway = false;
  minutesByKey = new Map();
  count = new AudienceCount({ clock, write });
});

function say(state: PlayerState, at: number, session = 'a', more: object = {}): void {
  now = minute + at;
  count.add(asset, { sessionId: session, sequence: null, state, at, ...more }, shares);
}

async function minutes(): Promise<AudienceMinute[]> {
  await count.flush();
  return [...minutesByKey.values()];
}

describe('an audience', () => {
  test('is summed up by minute and by category', async () => {
    say('starting', 0);
    say('playing', 900, 'a', { height: 718, latencyMs: 2_400 });
    say('rebuffering', 10_900);
    say('playing', 12_900, 'a', { throughputKbps: 900, lowestKbps: 1_100 });
    const [first] = await minutes();
    const counts = { views: 1, startups: 1, startupMs: 900, stalls: 1, stallMs: 2_000, playedMs: 10_000 };
    expect(first).toMatchObject({
      ...counts,
      startsAt: minute,
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
    expect(first?.latencies.reduce((sum, each) => sum + each, 0)).toBe(1);
  });

  test('counts a player once that sends events and request reports', async () => {
    say('starting', 0, 'a', { sequence: 1 });
    say('rebuffering', 500, 'a', { ofRequest: true });
    say('playing', 500, 'a', { ofRequest: true });
    say('playing', 900, 'a', { sequence: 2 });
    expect(await minutes()).toMatchObject([{ views: 1, startups: 1, startupMs: 900, stalls: 0 }]);
  });

  test('without event reports has views, stalls without a length, and played time', async () => {
    const ofRequest = { ofRequest: true };
    say('starting', 0, 'a', ofRequest);
    say('playing', 2_000, 'a', ofRequest);
    say('rebuffering', 8_000, 'a', ofRequest);
    say('playing', 8_000, 'a', ofRequest);
    say('playing', 10_000, 'a', ofRequest);
    expect(await minutes()).toMatchObject([
      { views: 1, startupMs: 2_000, stalls: 1, stallMs: 0, playedMs: 8_000 },
    ]);
  });

  test('has a stall in the minute in which it began', async () => {
    say('playing', 0);
    say('rebuffering', 59_000);
    await minutes();
    say('playing', 70_000);
    const allMinutes = await minutes();
    expect(
      allMinutes.map(({ startsAt, stallMs, stalledViews }) => [startsAt - minute, stallMs, stalledViews]),
    ).toEqual([[0, 11_000, 1]]);
  });

  test('is present until it ends or falls silent', async () => {
    say('playing', 0, 'a');
    say('playing', 0, 'b');
    now = minute + 5_000;
    count.sample();
    say('ended', 5_000, 'b');
    now = minute + 10_000;
    count.sample();
    now = minute + 100_000;
    count.sample();
    const [first, ...later] = await minutes();
    expect([first?.peak, first?.viewers, first?.presentMs, first?.devices]).toMatchObject([
      ...[2, 1, 15_000],
      { mobile: { viewers: 1, presentMs: 15_000 } },
    ]);
    expect(later).toMatchObject([{ viewers: 0, presentMs: 0 }]);
  });

  test.each([
    ['says so', () => say('quit', 4_000)],
    [
      'is silent',
      () => {
        now = minute + 300_001;
        count.sample();
      },
    ],
  ])('that leaves before the first frame, and %s, counts as left once', async (_name, leave) => {
    say('starting', 0);
    leave();
    now += 600_000;
    count.sample();
    const allMinutes = await minutes();
    expect(allMinutes.reduce((sum, { left }) => sum + left, 0)).toBe(1);
  });

  test('that only preloads is not counted', async () => {
    say('preloading', 0);
    count.sample();
    const [first] = await minutes();
    expect([first?.views, first?.peak]).toEqual([0, 0]);
  });

  test('is written completely after a database outage, and then dropped', async () => {
    say('starting', 0);
    isAway = true;
    await expect(count.flush()).rejects.toThrow('away');
    say('playing', 500);
    isAway = false;
    expect(await minutes()).toMatchObject([{ views: 1, startups: 1 }]);
    minutesByKey.clear();
    now += 600_000;
    expect(await minutes()).toEqual([]);
    say('playing', 600_000, 'c');
    expect(await minutes()).toHaveLength(1);
  });

  test('is limited in size', async () => {
    count = new AudienceCount({ clock, write, maxMinutes: 1, maxViews: 2 });
    for (const session of ['a', 'b', 'c', 'd']) say('starting', 0, session);
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
