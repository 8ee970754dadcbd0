import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ViewerTimeline } from './viewer-timeline';

/** Places packets that arrive at these times. */
function placePackets(packets: readonly (readonly [dtsMs: number, monotonicMs: number])[]): number[] {
  const timeline = new ViewerTimeline();
  return packets.map(([dtsMs, monotonicMs]) => dtsMs + timeline.placePacket(dtsMs, monotonicMs));
}

test('media at a steady pace is not moved', () => {
  const packets = Array.from({ length: 50 }, (_, index) => [500 + index * 33, 9_000 + index * 33] as const);
  expect(placePackets(packets)).toEqual(packets.map(([dtsMs]) => dtsMs));
});

test('a gap that the program shortened gets its original length', () => {
  expect(
    placePackets([
      [0, 0],
      [33, 33],
      [100, 8_033],
      [133, 8_066],
    ]),
  ).toEqual([0, 33, 8_033, 8_066]);
});

test('another timeline continues after the previous one', () => {
  expect(
    placePackets([
      [5_000_000, 0],
      [5_000_033, 33],
      [40, 3_033],
      [73, 3_066],
    ]).slice(1),
  ).toEqual([5_000_033, 5_003_033, 5_003_066]);
  expect(
    placePackets([
      [0, 0],
      [33, 33],
      [5_000_000, 66],
      [5_000_033, 99],
    ]),
  ).toEqual([0, 33, 66, 99]);
});

test('a GOP that arrives in one burst ends with the current frame', () => {
  const timeline = new ViewerTimeline();
  timeline.placeBurst(2_000, 10_000);
  expect(timeline.placePacket(2_033, 10_033)).toBe(0);
  // Two seconds later the viewer gets the GOP again, from its keyframe on.
  expect(3_900 + timeline.placeBurst(3_900, 12_000)).toBe(4_000);
  expect(3_933 + timeline.placePacket(3_933, 12_033)).toBe(4_033);
});

test('with any packets, the timeline is at most about 1 s behind the clock, and its steps forward are limited', () => {
  const step = fc.record({
    pauseMs: fc.integer({ min: 0, max: 20_000 }),
    jumpMs: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
      const timeline = new ViewerTimeline();
      let [dtsMs, monotonicMs] = [0, 0];
      let previousMs = dtsMs + timeline.placePacket(dtsMs, monotonicMs);
      for (const { pauseMs, jumpMs } of steps) {
        monotonicMs += pauseMs + 33;
        dtsMs += 33 + jumpMs;
        const placedMs = dtsMs + timeline.placePacket(dtsMs, monotonicMs);
        const behindMs = monotonicMs - placedMs;
        expect(behindMs).toBeLessThanOrEqual(1_001);
        expect(placedMs - previousMs).toBeLessThanOrEqual(Math.max(5_000, pauseMs + 1_100));
        previousMs = Math.max(previousMs, placedMs);
      }
    }),
  );
});
