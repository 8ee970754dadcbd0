import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Timeline } from './timeline';

const packetAt = (kind: 'video' | 'audio', dts: number, pts = dts) => ({ kind, dts, pts });
const HOURS_50 = 50 * 3600 * 1000;

describe('Timeline', () => {
  it('places the first video frame at the start, and shifts both tracks by the same offset', () => {
    const timeline = new Timeline(packetAt('video', 90_000, 90_080), 4000);
    expect(timeline.place(packetAt('video', 90_000, 90_080))).toEqual({
      kind: 'place',
      dts: 4000,
      pts: 4080,
    });
    expect(timeline.place(packetAt('audio', 90_010))).toEqual({ kind: 'place', dts: 4010, pts: 4010 });
  });

  it('keeps a frame that is shown before its decode time on the timeline', () => {
    const timeline = new Timeline(packetAt('video', 1000, 980), 0);
    expect(timeline.place(packetAt('video', 1000, 980))).toEqual({ kind: 'place', dts: 20, pts: 0 });
  });

  it.each([
    ['10 s after', 10_000, 'place'],
    ['more than 10 s after', 10_001, 'jump'],
    ['100 ms before', -100, 'place'],
    ['more than 100 ms before', -101, 'jump'],
    ['50 hours before', -HOURS_50, 'jump'],
  ])('a frame %s the last one (%d ms): %s', (_name, stepMs, kind) => {
    const timeline = new Timeline(packetAt('video', HOURS_50), 0);
    timeline.place(packetAt('video', HOURS_50));
    timeline.place(packetAt('video', HOURS_50 + 40));
    expect(timeline.place(packetAt('video', HOURS_50 + 40 + stepMs)).kind).toBe(kind);
  });

  it('corrects equal and slightly falling decode times without changing presentation times', () => {
    const timeline = new Timeline(packetAt('video', 0), 0);
    timeline.place(packetAt('video', 0));
    expect(timeline.place(packetAt('video', 0, 40))).toEqual({ kind: 'place', dts: 1, pts: 40 });
    expect(timeline.place(packetAt('video', -20, 60))).toEqual({ kind: 'place', dts: 2, pts: 60 });
  });

  it('reports audio before the first video frame as early, and drops audio on another clock', () => {
    const timeline = new Timeline(packetAt('video', 500), 0);
    timeline.place(packetAt('video', 500));
    expect(timeline.place(packetAt('audio', 499)).kind).toBe('early');
    expect(timeline.place(packetAt('audio', 500_000)).kind).toBe('drop');
    expect(timeline.place(packetAt('video', 540)).kind).toBe('place');
  });

  it('accepts video again after a long time with only audio', () => {
    const timeline = new Timeline(packetAt('video', 0), 0);
    timeline.place(packetAt('video', 0));
    for (let ms = 0; ms <= 60_000; ms += 20) timeline.place(packetAt('audio', ms));
    expect(timeline.place(packetAt('video', 60_000)).kind).toBe('place');
  });

  it('uses audio as the master where there is no video', () => {
    const timeline = new Timeline(packetAt('audio', 0), 0);
    timeline.place(packetAt('audio', 0));
    expect(timeline.place(packetAt('audio', 20_000)).kind).toBe('jump');
  });

  it('increases decode times of the master strictly until a jump, for any timestamps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -200, max: 12_000 }), { maxLength: 100 }), (steps) => {
        const timeline = new Timeline(packetAt('video', 1000), 0);
        let dts = 1000;
        let last = -1;
        for (const step of steps) {
          const placement = timeline.place(packetAt('video', (dts += step)));
          if (placement.kind !== 'place') return;
          expect(placement.dts).toBeGreaterThan(last);
          last = placement.dts;
        }
      }),
    );
  });
});
