import { beforeEach, describe, expect, test } from 'vitest';
import { ReceiverProgress, type ConnectionSample } from './receiver-progress';

let nowMs = 0;
beforeEach(() => (nowMs = 0));
const createSample = (
  handedOverBytes: number,
  overrides: Partial<ConnectionSample> = {},
): ConnectionSample => ({
  handedOverBytes,
  waitingBytes: 0,
  unacknowledgedBytes: 0,
  acknowledgedBytes: null,
  ...overrides,
});

/**
 * Takes a sample once a second.
 * @returns the milliseconds without progress at each sample
 */
function takeSamples(samples: readonly ConnectionSample[]): number[] {
  const progress = new ReceiverProgress(() => nowMs);
  return samples.map((sample) => {
    nowMs += 1_000;
    return progress.addSample(sample);
  });
}

describe('a receiver', () => {
  test('without data to receive is not late', () => {
    expect(takeSamples([createSample(500), createSample(500), createSample(500)])).toEqual([0, 0, 0]);
  });

  test('whose machine acknowledges bytes makes progress, however many are unacknowledged', () => {
    const samples = [1, 2, 3, 4].map((second) =>
      createSample(9_000 * second, { unacknowledgedBytes: 4_000 }),
    );
    expect(takeSamples(samples)).toEqual([0, 0, 0, 0]);
  });

  test('that can no longer be reached is late from its last acknowledgement on', () => {
    const silentSamples = [1, 2, 3].map((second) =>
      createSample(1_000 + 500 * second, { unacknowledgedBytes: 500 * second }),
    );
    expect(takeSamples([createSample(1_000), ...silentSamples])).toEqual([0, 1_000, 2_000, 3_000]);
  });

  test('without a known queue is late once no more bytes can be handed over', () => {
    const blockedSample = createSample(4_000, { unacknowledgedBytes: null, waitingBytes: 100 });
    expect(takeSamples([blockedSample, blockedSample, blockedSample])).toEqual([0, 1_000, 2_000]);
  });

  test('that acknowledges about every thousand bytes is late when two thousand bytes are unacknowledged', () => {
    const samples = [
      createSample(1_000, { acknowledgedBytes: 990 }),
      createSample(2_000, { acknowledgedBytes: 1_980 }),
      createSample(3_000, { acknowledgedBytes: 1_980 }),
      createSample(4_000, { acknowledgedBytes: 1_980 }),
      createSample(5_000, { acknowledgedBytes: 1_980 }),
      createSample(6_000, { acknowledgedBytes: 5_980 }),
    ];
    expect(takeSamples(samples)).toEqual([0, 0, 0, 0, 3_000, 0]);
  });

  test('that makes progress again is not late, even if its counter restarts', () => {
    const samples = [
      createSample(1_000, { acknowledgedBytes: 2 ** 32 - 1 }),
      createSample(9_000, { acknowledgedBytes: 2 ** 32 - 1 }),
      createSample(9_500, { acknowledgedBytes: 40 }),
    ];
    expect(takeSamples(samples)).toEqual([0, 1_000, 0]);
  });
});
