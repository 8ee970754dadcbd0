import { expect, test } from 'vitest';
import { Reordering } from './reordering';
import { video, videoConfig } from './testing/packets';

/** What is known after each picture. @param offsets of each picture, ms; a keyframe every five */
function looked(offsets: readonly number[], reordering = new Reordering()): boolean[] {
  return offsets.map((offset, index) => {
    const packet = video(index * 40, index % 5 === 0);
    return reordering.look({ ...packet, pts: packet.dts + offset });
  });
}

test('pictures that are shown as they are decoded are in order, also with a constant delay', () => {
  expect(looked(Array.from({ length: 12 }, () => 0))).not.toContain(true);
  expect(looked(Array.from({ length: 12 }, (_, index) => 80 + (index % 2)))).not.toContain(true);
});

test('B-frames show with the second picture', () => {
  expect(looked([80, 160, 40, 0, 80])).toEqual([false, true, true, true, true]);
});

test('an encoder that leaves them out is believed after a group of pictures', () => {
  const reordering = new Reordering();
  looked([80, 160, 40, 0, 80], reordering);
  reordering.look(videoConfig());
  const after = looked(
    Array.from({ length: 12 }, () => 0),
    reordering,
  );
  expect([after.slice(0, 5).includes(false), after.slice(5).includes(true)]).toEqual([false, false]);
});

test('a configuration that is repeated changes nothing', () => {
  const reordering = new Reordering();
  for (let times = 0; times < 3; times++) {
    reordering.look(videoConfig());
    expect(looked([80, 160, 40, 0, 80], reordering).at(-1)).toBe(true);
  }
  expect(reordering.look(videoConfig())).toBe(true);
});
