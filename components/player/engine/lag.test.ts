import { expect, test } from 'vitest';
import { Lag } from './lag';

type Position = readonly [currentTime: number, behind: number];

const look = (lag: Lag, [currentTime, behind]: Position, { paused = false, target = 1.65 } = {}) =>
  lag.look(
    { currentTime, paused },
    { livePosition: () => currentTime + behind, targetLatency: () => target },
  ) !== null;

const looks = (lag: Lag, positions: readonly Position[], target = 1.65) =>
  positions.map((position) => look(lag, position, { target }));

test('a viewer who falls more than 10 s behind is brought back', () => {
  expect(looks(new Lag(), [[10, 0], [11, 4], [11, 9.9], [11, 10.1]])).toEqual([false, false, false, true]); // prettier-ignore
});

test('three times the latency that the stream aims at is more, where that is large', () => {
  expect(looks(new Lag(), [[10, 0], [10, 17.9], [10, 18.1]], 6)).toEqual([false, false, true]); // prettier-ignore
});

test('a viewer who went back stays there, and is brought back when that becomes much more', () => {
  expect(looks(new Lag(), [[30, 0], [15, 15], [16, 15], [17, 24], [17, 25.1]])).toEqual([false, false, false, false, true]); // prettier-ignore
});

test('a pause of the viewer is no falling behind', () => {
  const lag = new Lag();
  for (let second = 0; second < 30; second += 1)
    expect(look(lag, [10, second], { paused: true })).toBe(false);
  expect(looks(lag, [[11, 29]])).toEqual([false]);
});

test('what was made up for is no longer chosen', () => {
  expect(looks(new Lag(), [[30, 0], [15, 15], [29, 1], [29, 11.5]])).toEqual([false, false, false, true]); // prettier-ignore
});

test('small steps back of an engine are not the viewer', () => {
  expect(looks(new Lag(), [[30, 0], [29.9, 8], [29.8, 10.5]])).toEqual([false, false, true]); // prettier-ignore
});
