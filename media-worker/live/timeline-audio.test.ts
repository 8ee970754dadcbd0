import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AudioClock } from './timeline-audio';

const stamp = (frame: number, rate: number) => Math.round((frame * 1024 * 1000) / rate);

describe('audio clock', () => {
  it.each([44_100, 48_000, 22_050, 8000])('makes rounded stamps at %d Hz seamless, hours long', (rate) => {
    const clock = new AudioClock(rate, 1024);
    let torn = 0;
    for (let frame = 0; frame < 200_000; frame++) {
      if (clock.place(stamp(frame, rate)) !== frame * 1024) torn++;
    }
    expect(torn).toBe(0);
  });

  it('follows the stamps over a gap', () => {
    const clock = new AudioClock(48_000, 1024);
    clock.place(0);
    expect(clock.place(2000)).toBe(96_000);
    expect(clock.place(2021)).toBe(97_024);
  });

  it('drops frames whose time is taken, until the stamps have caught up', () => {
    const clock = new AudioClock(48_000, 1024);
    for (let frame = 0; frame < 50; frame++) clock.place(stamp(frame, 48_000));
    expect(clock.place(stamp(40, 48_000))).toBeUndefined();
    expect(clock.place(stamp(50, 48_000))).toBe(50 * 1024);
  });

  it('stays within the tolerance of the stamps and never falls back, for any stamps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 400 }), { maxLength: 300 }), (steps) => {
        const clock = new AudioClock(48_000, 1024);
        let ms = 5000;
        let next = 0;
        for (const step of steps) {
          const start = clock.place((ms += step));
          if (start === undefined) continue;
          expect(start).toBeGreaterThanOrEqual(next);
          expect(Math.abs(start / 48 - ms)).toBeLessThanOrEqual(101);
          next = start + 1024;
        }
      }),
    );
  });

  it('sheds the drift of an encoder whose sound runs fast: a frame now and then', () => {
    const clock = new AudioClock(48_000, 1024);
    let dropped = 0;
    // 48,100 frames' worth of samples for every 48,000 the stamps allow.
    for (let frame = 0; frame < 48_100; frame++) {
      if (clock.place(stamp(frame, 48_100)) === undefined) dropped++;
    }
    expect(dropped).toBeGreaterThan(80);
    expect(dropped).toBeLessThan(110);
  });
});
