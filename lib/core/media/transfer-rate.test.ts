import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addTransferSample,
  isTooSlow,
  addRateSample,
  defaultMinRate,
  remainingSeconds,
  transferRate,
  type RateSamples,
  type TransferSample,
} from './transfer-rate';

const samplesAfter = (...samples: TransferSample[]) =>
  samples.reduce<TransferSample[]>(addTransferSample, []);

test('transferRate is in bytes per second', () => {
  const samples = samplesAfter(
    { atMs: 0, bytes: 0 },
    { atMs: 1_000, bytes: 500 },
    { atMs: 2_000, bytes: 2_000 },
  );
  expect(transferRate(samples)).toBe(1_000);
});

test('transferRate is null before the samples cover a second', () => {
  expect(transferRate([])).toBeNull();
  expect(transferRate(samplesAfter({ atMs: 5, bytes: 0 }, { atMs: 500, bytes: 100 }))).toBeNull();
});

test('transferRate uses only the samples of the last eight seconds', () => {
  const samples = samplesAfter(
    { atMs: 0, bytes: 0 },
    { atMs: 9_000, bytes: 9_000_000 },
    { atMs: 12_000, bytes: 9_003_000 },
  );
  expect(transferRate(samples)).toBe(1_000);
});

test('the rate of a restarted transfer is measured again', () => {
  expect(samplesAfter({ atMs: 0, bytes: 900 }, { atMs: 1_000, bytes: 10 })).toEqual([
    { atMs: 1_000, bytes: 10 },
  ]);
});

test('samples are at most 8 seconds old, and a rate is never negative', () => {
  const steps = fc.array(
    fc.record({ laterMs: fc.integer({ min: 0, max: 3_000 }), moreBytes: fc.nat(1_000) }),
  );
  fc.assert(
    fc.property(steps, (values) => {
      let sample = { atMs: 0, bytes: 0 };
      const samples = samplesAfter(
        ...values.map(
          ({ laterMs, moreBytes }) =>
            (sample = { atMs: sample.atMs + laterMs, bytes: sample.bytes + moreBytes }),
        ),
      );
      for (const keptSample of samples) expect(sample.atMs - keptSample.atMs).toBeLessThanOrEqual(8_000);
      expect(transferRate(samples) ?? 0).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('remainingSeconds rounds up, and is null without a positive rate', () => {
  expect(remainingSeconds(1_001, 100)).toBe(11);
  expect(remainingSeconds(1_000, null)).toBeNull();
  expect(remainingSeconds(1_000, 0)).toBeNull();
});

describe('minimum rate of a transfer', () => {
  const minRate = { bytesPerSecond: 1_000, windowMs: 6_000, samplesPerWindow: 3 };
  const slowAfter = (...samples: TransferSample[]) =>
    isTooSlow(
      samples.reduce<RateSamples>((window, sample) => addRateSample(window, sample, minRate), []),
      minRate,
    );
  const at = (seconds: number, bytes: number) => ({ atMs: seconds * 1_000, bytes });

  test('is checked after a whole window, and only over the last window', () => {
    expect(slowAfter(at(0, 0), at(2, 0), at(4, 0))).toBe(false);
    expect(slowAfter(at(0, 0), at(2, 0), at(4, 0), at(6, 5_999))).toBe(true);
    expect(slowAfter(at(0, 0), at(2, 0), at(4, 0), at(6, 6_000))).toBe(false);
    expect(slowAfter(at(0, 0), at(2, 90_000), at(4, 90_000), at(6, 90_000), at(8, 90_001))).toBe(true);
  });

  test('restarts its window after this process was paused', () => {
    expect(slowAfter(at(0, 0), at(2, 9_000), at(4, 18_000), at(60, 18_000))).toBe(false);
    expect(slowAfter(at(0, 0), at(60, 0), at(62, 0), at(64, 0), at(66, 0))).toBe(true);
  });

  test('is 8 kB/s over 30 seconds by default', () => {
    expect(defaultMinRate).toMatchObject({ bytesPerSecond: 8_000, windowMs: 30_000 });
  });
});
