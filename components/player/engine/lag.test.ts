import { expect, test } from 'vitest';
import { LagWatch } from './lag';

/** What the player measures at one check, in seconds. */
type Position = readonly [currentTime: number, latency: number];

/** Target latency of a low-latency stream, in seconds. */
const LOW_LATENCY_S = 1.65;

/** Whether the viewer is moved to the live edge. */
const checkLag = (
  lag: LagWatch,
  [currentTime, latency]: Position,
  { paused = false, targetLatency = LOW_LATENCY_S } = {},
) =>
  lag.check(
    { currentTime, paused },
    { livePosition: () => currentTime + latency, targetLatency: () => targetLatency },
  ) !== null;

const checkAll = (lag: LagWatch, positions: readonly Position[], targetLatency = LOW_LATENCY_S) =>
  positions.map((position) => checkLag(lag, position, { targetLatency }));

test('a viewer who falls more than 10 s behind is moved to the live edge', () => {
  expect(checkAll(new LagWatch(), [[10, 0], [11, 4], [11, 9.9], [11, 10.1]])).toEqual([false, false, false, true]); // prettier-ignore
});

test('the limit is three times the target latency of the stream, if that is more than 10 s', () => {
  expect(checkAll(new LagWatch(), [[10, 0], [10, 17.9], [10, 18.1]], 6)).toEqual([false, false, true]); // prettier-ignore
});

test('a viewer who seeked back is moved to the live edge only after falling another 10 s behind', () => {
  expect(checkAll(new LagWatch(), [[30, 0], [15, 15], [16, 15], [17, 24], [17, 25.1]])).toEqual([false, false, false, false, true]); // prettier-ignore
});

test('a pause of the viewer does not count as falling behind', () => {
  const lag = new LagWatch();
  for (let second = 0; second < 30; second += 1)
    expect(checkLag(lag, [10, second], { paused: true })).toBe(false);
  expect(checkAll(lag, [[11, 29]])).toEqual([false]);
});

test('after playback has caught up, latency no longer counts as chosen by the viewer', () => {
  expect(checkAll(new LagWatch(), [[30, 0], [15, 15], [29, 1], [29, 11.5]])).toEqual([false, false, false, true]); // prettier-ignore
});

test('small seeks back by an engine do not count as chosen by the viewer', () => {
  expect(checkAll(new LagWatch(), [[30, 0], [29.9, 8], [29.8, 10.5]])).toEqual([false, false, true]); // prettier-ignore
});
