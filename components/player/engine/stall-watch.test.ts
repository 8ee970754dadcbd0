import { expect, test } from 'vitest';
import { StallWatch } from './stall-watch';

const stoppedVideo = { currentTime: 0, isResting: false };

/** Seconds until the engine counts as stuck; null if it does not within ten minutes. */
function secondsUntilStuck(
  watch: StallWatch,
  phase: 'connecting' | 'playing',
  video = stoppedVideo,
): number | null {
  for (let second = 1; second <= 600; second += 1) if (watch.check(video, phase)) return second;
  return null;
}

test('playback without progress for 8 s is stuck', () => {
  expect(secondsUntilStuck(new StallWatch(), 'playing')).toBe(8);
});

test('the timeout for a first frame doubles up to a limit with every engine that shows no frame', () => {
  const watch = new StallWatch();
  const timeouts = Array.from({ length: 5 }, () => secondsUntilStuck(watch, 'connecting'));
  expect(timeouts).toEqual([8, 16, 32, 64, 64]);
  watch.onFrame();
  expect(secondsUntilStuck(watch, 'connecting')).toBe(8);
});

test('playback that progresses, and playback of which no progress is expected, is not stuck', () => {
  const watch = new StallWatch();
  expect(secondsUntilStuck(watch, 'playing', { ...stoppedVideo, isResting: true })).toBeNull();
  for (let second = 1; second <= 60; second += 1) {
    expect(watch.check({ ...stoppedVideo, currentTime: second }, 'playing')).toBe(false);
  }
});

test('a new engine restarts the timeout', () => {
  const watch = new StallWatch();
  for (let second = 1; second <= 7; second += 1) watch.check(stoppedVideo, 'connecting');
  watch.onAttached();
  expect(secondsUntilStuck(watch, 'connecting')).toBe(8);
});
