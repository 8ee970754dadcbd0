import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LayerTimestamps } from './layer-timestamps';

const FRAME_MS = 40;
/** NTP time of the sender's clock, in milliseconds since 1900. */
const FIRST_NTP_MS = 3_900_000_000_000;
const randomStart = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const wrap = (ticks: number) => ((ticks % 2 ** 32) + 2 ** 32) % 2 ** 32;
/** The difference of two timestamps in milliseconds, across a wrap. */
const differenceMs = (a: number, b: number) => (((a - b + 3 * 2 ** 31) % 2 ** 32) - 2 ** 31) / 90;

const createReport = (rtpTime: number, ntpMs: number) => ({
  ssrc: 1,
  compactNtp: 0,
  rtpTime: wrap(rtpTime),
  ntpMs,
});

describe('timestamps of layers', () => {
  test('of the first layer are unchanged', () => {
    fc.assert(
      fc.property(randomStart, (start) => {
        const timestamps = new LayerTimestamps(2);
        expect(timestamps.convert(1, start, 0)).toBe(start);
        expect(timestamps.convert(1, wrap(start + 3_600), 40)).toBe(wrap(start + 3_600));
      }),
    );
  });

  test('of the same picture are equal after sender reports, whatever the start, delay and order', () => {
    fc.assert(
      fc.property(
        fc.array(randomStart, { minLength: 3, maxLength: 3 }),
        fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 3, maxLength: 3 }),
        (starts, delays) => {
          // Clocks that are nearly equal count as one.
          fc.pre(starts.every((a) => starts.every((b) => a === b || Math.abs(differenceMs(a, b)) > 1_000)));
          const timestamps = new LayerTimestamps(3);
          for (let ms = 0; ms < 4_000; ms += FRAME_MS) {
            const converted = starts.map((start, layer) =>
              timestamps.convert(layer, wrap(start + ms * 90), ms + (delays[layer] ?? 0)),
            );
            const maxDifferenceMs = Math.max(
              ...converted.map((time) => Math.abs(differenceMs(time, converted[0] ?? 0))),
            );
            // Before the reports, timestamps follow the arrival, so they differ by the delays.
            expect(maxDifferenceMs).toBeLessThanOrEqual(ms < 2_000 ? 301 : 15);
            if (ms === 1_000)
              for (const [layer, start] of starts.entries())
                timestamps.addReport(layer, createReport(start + ms * 90, FIRST_NTP_MS + ms), ms);
          }
        },
      ),
    );
  });

  test('are estimated by arrival while reports are missing, or have unrelated clocks', () => {
    const timestamps = new LayerTimestamps(2);
    timestamps.convert(0, 1_000, 0);
    // 10 ms after timestamp 1,000 of the first layer, at 90 ticks per ms.
    expect(timestamps.convert(1, 777_000, 10)).toBe(1_900);
    timestamps.addReport(0, createReport(1_000, FIRST_NTP_MS), 10);
    timestamps.addReport(1, createReport(777_000, 0), 10);
    timestamps.convert(0, 4_600, 40);
    expect(timestamps.convert(1, 780_600, 50)).toBe(5_500);
  });

  test('are unchanged if all layers have one clock, whatever their delay', () => {
    fc.assert(
      fc.property(randomStart, fc.integer({ min: -400, max: 400 }), (start, delayMs) => {
        const timestamps = new LayerTimestamps(2);
        timestamps.convert(0, start, 1_000);
        expect(timestamps.convert(1, start, 1_000 + delayMs)).toBe(start);
      }),
    );
  });

  test('are reported on the clock of the reference, by other layers only while it has no reports', () => {
    const timestamps = new LayerTimestamps(2);
    expect(timestamps.addReport(0, createReport(1_000, FIRST_NTP_MS), 0)).toBeNull();
    timestamps.convert(0, 1_000, 0);
    timestamps.convert(1, 777_000, 0);
    expect(timestamps.addReport(1, createReport(777_900, FIRST_NTP_MS + 10), 10)?.rtpTime).toBe(1_900);
    expect(timestamps.addReport(0, createReport(1_900, FIRST_NTP_MS + 10), 10)?.rtpTime).toBe(1_900);
    expect(timestamps.addReport(1, createReport(867_000, FIRST_NTP_MS + 1_000), 1_000)).toBeNull();
    expect(
      timestamps.addReport(1, createReport(777_000 + 540_000, FIRST_NTP_MS + 6_000), 6_000)?.rtpTime,
    ).toBe(541_000);
  });

  test('continue after a layer has started again with other timestamps', () => {
    const timestamps = new LayerTimestamps(2);
    for (const [layer, start] of [1_000, 777_000].entries()) {
      timestamps.convert(layer, start, 0);
      timestamps.addReport(layer, createReport(start, FIRST_NTP_MS), 0);
    }
    timestamps.convert(0, 1_000 + 9_000, 100);
    expect(timestamps.convert(1, 3_000_000_000, 100)).toBe(10_000);
  });
});
