import { beforeEach, describe, expect, test } from 'vitest';
import { ReceiverProgress, type ConnectionSample } from './receiver-progress';

let at = 0;
beforeEach(() => (at = 0));
const sampleAt = (handedOver: number, overrides: Partial<ConnectionSample> = {}): ConnectionSample => ({
  handedOver,
  waiting: 0,
  unacknowledged: 0,
  acknowledged: null,
  ...overrides,
});

/**
 * Takes a sample once a second.
 * @returns the result of each sample
 */
function takeSamples(samples: readonly ConnectionSample[]): number[] {
  const progress = new ReceiverProgress(() => at);
  return samples.map((sample) => {
    at += 1_000;
    return progress.addSample(sample);
  });
}

describe('a receiver', () => {
  test('without data to receive is not late', () => {
    expect(takeSamples([sampleAt(500), sampleAt(500), sampleAt(500)])).toEqual([0, 0, 0]);
  });

  test('whose machine acknowledges makes progress, however much is in flight', () => {
    const busy = [1, 2, 3, 4].map((second) => sampleAt(9_000 * second, { unacknowledged: 4_000 }));
    expect(takeSamples(busy)).toEqual([0, 0, 0, 0]);
  });

  test('that can no longer be reached is late from its last acknowledgement on', () => {
    const silentSamples = [1, 2, 3].map((second) =>
      sampleAt(1_000 + 500 * second, { unacknowledged: 500 * second }),
    );
    expect(takeSamples([sampleAt(1_000), ...silentSamples])).toEqual([0, 1_000, 2_000, 3_000]);
  });

  test('without a known queue is late once no more bytes can be handed over', () => {
    const full = sampleAt(4_000, { unacknowledged: null, waiting: 100 });
    expect(takeSamples([full, full, full])).toEqual([0, 1_000, 2_000]);
  });

  test('that acknowledges every thousand bytes is late two thousand after the last', () => {
    const steps = [
      sampleAt(1_000, { acknowledged: 990 }),
      sampleAt(2_000, { acknowledged: 1_980 }),
      sampleAt(3_000, { acknowledged: 1_980 }),
      sampleAt(4_000, { acknowledged: 1_980 }),
      sampleAt(5_000, { acknowledged: 1_980 }),
      sampleAt(6_000, { acknowledged: 5_980 }),
    ];
    expect(takeSamples(steps)).toEqual([0, 0, 0, 0, 3_000, 0]);
  });

  test('that makes progress again is not late, even if its counter restarts', () => {
    const steps = [
      sampleAt(1_000, { acknowledged: 2 ** 32 - 1 }),
      sampleAt(9_000, { acknowledged: 2 ** 32 - 1 }),
      sampleAt(9_500, { acknowledged: 40 }),
    ];
    expect(takeSamples(steps)).toEqual([0, 1_000, 0]);
  });
});
