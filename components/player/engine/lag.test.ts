import { expect, test } from 'vitest';
import { Lag } from './lag';

type Position = readonly [currentTime: number, behind: number];

const checkLag = (lag: Lag, [currentTime, latency]: Position, { paused = false, target = 1.65 } = {}) =>
  lag.check(
    { currentTime, paused },
    { livePosition: () => currentTime + latency, targetLatency: () => target },
  ) !== null;

const checkAll = (lag: Lag, positions: readonly Position[], target = 1.65) =>
  positions.map((position) => checkLag(lag, position, { target }));

test('a viewer who falls more than 10 s behind is moved to the live edge', () => {
  expect(checkAll(new Lag(), [[10, 0], [11, 4], [11, 9.9], [11, 10.1]])).toEqual([false, false, false, true]); // prettier-ignore
});

test('the limit is three times the target latency of the stream, if that is larger', () => {
  expect(checkAll(new Lag(), [[10, 0], [10, 17.9], [10, 18.1]], 6)).toEqual([false, false, true]); // prettier-ignore
});

test('a viewer who seeked back stays there, until the latency becomes much larger', () => {
  expect(checkAll(new Lag(), [[30, 0], [15, 15], [16, 15], [17, 24], [17, 25.1]])).toEqual([false, false, false, false, true]); // prettier-ignore
});

test('a pause of the viewer does not count as falling behind', () => {
  const lag = new Lag();
  for (let second = 0; second < 30; second += 1)
    expect(checkLag(lag, [10, second], { paused: true })).toBe(false);
  expect(checkAll(lag, [[11, 29]])).toEqual([false]);
});

test("latency that playback has made up for is no longer the viewer's choice", () => {
  expect(checkAll(new Lag(), [[30, 0], [15, 15], [29, 1], [29, 11.5]])).toEqual([false, false, false, true]); // prettier-ignore
});

test("small steps back by an engine are not the viewer's choice", () => {
  expect(checkAll(new Lag(), [[30, 0], [29.9, 8], [29.8, 10.5]])).toEqual([false, false, true]); // prettier-ignore
});
