import { expect, test } from 'vitest';
import { Reordering } from './reordering';
import { video, videoConfig } from './testing/packets';

/**
 * Whether frames count as reordered after each frame.
 * @param offsets composition time of each frame, ms; every fifth frame is a keyframe
 */
function observeFrames(offsets: readonly number[], reordering = new Reordering()): boolean[] {
  return offsets.map((offset, index) => {
    const packet = video(index * 40, index % 5 === 0);
    return reordering.observe({ ...packet, pts: packet.dts + offset });
  });
}

test('frames that are displayed in decode order are not reordered, even with a constant delay', () => {
  expect(observeFrames(Array.from({ length: 12 }, () => 0))).not.toContain(true);
  expect(observeFrames(Array.from({ length: 12 }, (_, index) => 80 + (index % 2)))).not.toContain(true);
});

test('B-frames are detected at the second frame', () => {
  expect(observeFrames([80, 160, 40, 0, 80])).toEqual([false, true, true, true, true]);
});

test('an encoder that stops sending B-frames counts as one without them after one GOP', () => {
  const reordering = new Reordering();
  observeFrames([80, 160, 40, 0, 80], reordering);
  reordering.observe(videoConfig());
  const after = observeFrames(
    Array.from({ length: 12 }, () => 0),
    reordering,
  );
  expect([after.slice(0, 5).includes(false), after.slice(5).includes(true)]).toEqual([false, false]);
});

test('a repeated configuration changes nothing', () => {
  const reordering = new Reordering();
  for (let times = 0; times < 3; times++) {
    reordering.observe(videoConfig());
    expect(observeFrames([80, 160, 40, 0, 80], reordering).at(-1)).toBe(true);
  }
  expect(reordering.observe(videoConfig())).toBe(true);
});
