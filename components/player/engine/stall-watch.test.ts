import { expect, test } from 'vitest';
import { StallWatch } from './stall-watch';

const still = { currentTime: 0, resting: false };

/** Seconds until the watch reports "stuck", at most ten minutes. */
function secondsUntilStuck(watch: StallWatch, phase: 'connecting' | 'playing', video = still): number | null {
  for (let second = 1; second <= 600; second += 1) if (watch.look(video, phase)) return second;
  return null;
}

test('playback without progress for 8 s is stuck', () => {
  expect(secondsUntilStuck(new StallWatch(), 'playing')).toBe(8);
});

test('the timeout for a first frame is limited, and doubles with every engine that shows none', () => {
  const watch = new StallWatch();
  const waits = Array.from({ length: 5 }, () => secondsUntilStuck(watch, 'connecting'));
  expect(waits).toEqual([8, 16, 32, 64, 64]);
  watch.frame();
  expect(secondsUntilStuck(watch, 'connecting')).toBe(8);
});

test('playback that progresses or rests is not stuck', () => {
  const watch = new StallWatch();
  expect(secondsUntilStuck(watch, 'playing', { ...still, resting: true })).toBeNull();
  for (let second = 1; second <= 60; second += 1) {
    expect(watch.look({ ...still, currentTime: second }, 'playing')).toBe(false);
  }
});

test('a new engine starts with the full timeout', () => {
  const watch = new StallWatch();
  for (let second = 1; second <= 7; second += 1) watch.look(still, 'connecting');
  watch.onAttached();
  expect(secondsUntilStuck(watch, 'connecting')).toBe(8);
});
