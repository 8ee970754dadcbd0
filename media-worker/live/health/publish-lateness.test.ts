import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WindowPeriod } from '@/media-worker/media/packaging/window-segment';
import { PublishLateness } from './publish-lateness';

const SAMPLE_MS = 5_000;
const PART_MS = 500;
const periodOf = (init: string) => ({ init }) as WindowPeriod;
const [firstPeriod, secondPeriod] = [periodOf('init-1.mp4'), periodOf('init-2.mp4')];

/**
 * Publishes parts of half a second and takes a sample every five seconds.
 * @param delayOf returns the delay of the part that ends at this media time, ms
 * @param partFieldsOf returns the period of this part, and whether it shows the slate
 */
function samplesOf(
  seconds: number,
  delayOf: (mediaMs: number) => number,
  partFieldsOf: (mediaMs: number) => { period?: WindowPeriod; isSlate?: boolean } = () => ({}),
): (number | null)[] {
  let now = 0;
  let sampledAtMs = 0;
  const lateness = new PublishLateness({ monotonic: () => now });
  const samples: (number | null)[] = [];
  for (let endMs = PART_MS; endMs <= seconds * 1_000; endMs += PART_MS) {
    const publishedAtMs = Math.max(now, endMs + delayOf(endMs));
    for (; sampledAtMs + SAMPLE_MS < publishedAtMs; sampledAtMs += SAMPLE_MS)
      samples.push(lateness.takeLateness());
    now = publishedAtMs;
    lateness.recordPart({ period: firstPeriod, isSlate: false, endMs, ...partFieldsOf(endMs) });
  }
  return [...samples, lateness.takeLateness()];
}

const maxLateness = (samples: readonly (number | null)[]) =>
  Math.max(...samples.map((sample) => sample ?? 0));

describe('lateness of published media', () => {
  test('is 0 while parts come at an even pace', () => {
    const samples = samplesOf(60, () => 300);
    // Nothing is measured in the first sample of a period.
    expect(samples[0]).toBeNull();
    expect(samples.slice(1)).toEqual(samples.slice(1).map(() => 0));
  });

  test('is how long media was held back, although it then arrives in a burst', () => {
    const delayDuringStall = (mediaMs: number) =>
      mediaMs > 20_000 && mediaMs <= 21_900 ? 21_900 - mediaMs : 0;
    // The first held part ends at 20.5 s.
    expect(maxLateness(samplesOf(60, delayDuringStall))).toBe(21_900 - 20_500);
  });

  test('adds up while the encoder sends a little slower than real time', () => {
    const samples = samplesOf(60, (mediaMs) => mediaMs * 0.07);
    expect(samples.at(-1)).toBeGreaterThan(3_500);
  });

  test('ends after a minute when the delay stays', () => {
    const samples = samplesOf(180, (mediaMs) => (mediaMs > 30_000 ? 4_000 : 0));
    expect(maxLateness(samples)).toBe(4_000);
    expect(samples.slice(-12)).toEqual(samples.slice(-12).map(() => 0));
  });

  test('does not count the burst with which an encoder begins', () => {
    expect(maxLateness(samplesOf(60, (mediaMs) => Math.min(2_000, mediaMs)))).toBe(0);
  });

  test('starts again with another period, and after the slate', () => {
    const pause = (mediaMs: number) => (mediaMs > 20_000 ? 8_000 : 0);
    const periods = (mediaMs: number) => ({ period: mediaMs > 20_000 ? secondPeriod : firstPeriod });
    expect(maxLateness(samplesOf(60, pause, periods))).toBe(0);
    const slate = (mediaMs: number) => ({ isSlate: mediaMs > 18_000 && mediaMs <= 20_000 });
    expect(maxLateness(samplesOf(60, pause, slate))).toBe(0);
  });

  test('is never negative, and never more than the delays differ', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 60, maxLength: 60 }),
        (delays) => {
          const samples = samplesOf(30, (mediaMs) => delays[mediaMs / PART_MS - 1] ?? 0);
          for (const sample of samples) {
            expect(sample ?? 0).toBeGreaterThanOrEqual(0);
            expect(sample ?? 0).toBeLessThanOrEqual(Math.max(...delays) - Math.min(...delays));
          }
        },
      ),
    );
  });
});
