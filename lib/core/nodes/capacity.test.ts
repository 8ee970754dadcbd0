import { describe, expect, test } from 'vitest';
import {
  updateCapacityState,
  capacityRejection,
  initialCapacityState,
  exponentialMovingAverage,
  estimateStreamRoom,
  type CapacitySample,
  type CapacityState,
} from './capacity';

const MIB = 2 ** 20;
const normalSample: CapacitySample = { timerLagMs: 50, freeMemoryBytes: 8_000 * MIB };

/** The state after these samples; fields that a sample does not set are those of a normal sample. */
const stateAfter = (
  samples: readonly Partial<CapacitySample>[],
  from: CapacityState = initialCapacityState,
) =>
  samples.reduce<CapacityState>(
    (state, sample) => updateCapacityState(state, { ...normalSample, ...sample }),
    from,
  );
const repeatSample = (count: number, sample: Partial<CapacitySample>) =>
  Array.from({ length: count }, () => sample);

describe('overload of a live process', () => {
  test.each<[string, readonly Partial<CapacitySample>[], CapacityState['overloadReason']]>([
    ['no overload', repeatSample(60, {}), null],
    [
      'a machine busy with other work: hundreds of milliseconds late for long',
      repeatSample(600, { timerLagMs: 900 }),
      null,
    ],
    ['one pause of a minute', [{ timerLagMs: 60_000 }], null],
    ['two pauses of a minute', repeatSample(2, { timerLagMs: 60_000 }), null],
    ['repeatedly seconds late', repeatSample(30, { timerLagMs: 4_000 }), 'late'],
    ['a clock that runs backwards', repeatSample(30, { timerLagMs: -5_000 }), null],
    ['no free memory', [{ freeMemoryBytes: 60 * MIB }], 'memory'],
    ['little free memory', [{ freeMemoryBytes: 100 * MIB }], null],
    ['unknown memory', [{ freeMemoryBytes: null }], null],
  ])('for %s is $2', (_, samples, overload) => expect(stateAfter(samples).overloadReason).toBe(overload));

  test('ends only after a clear recovery', () => {
    const late = stateAfter(repeatSample(30, { timerLagMs: 4_000 }));
    expect(stateAfter(repeatSample(30, { timerLagMs: 1_500 }), late).overloadReason).toBe('late');
    expect(stateAfter(repeatSample(30, { timerLagMs: 500 }), late).overloadReason).toBeNull();
    const lowOnMemory = stateAfter([{ freeMemoryBytes: 10 * MIB }]);
    expect(stateAfter([{ freeMemoryBytes: 100 * MIB }], lowOnMemory).overloadReason).toBe('memory');
    expect(stateAfter([{ freeMemoryBytes: 200 * MIB }], lowOnMemory).overloadReason).toBeNull();
  });
});

const capacity = { streams: 3, maxStreams: null, overloadReason: null };

test.each([
  ['without a limit', {}, null],
  ['below its limit', { maxStreams: 4 }, null],
  ['at its limit', { maxStreams: 3 }, /its limit of 3 streams$/],
  ['that is late', { overloadReason: 'late' }, /^the server is overloaded/],
  ['without memory', { overloadReason: 'memory' }, /no free memory/],
] as const)('the rejection of a stream by a process %s is $2', (_, change, message) => {
  const rejection = capacityRejection({ ...capacity, ...change });
  if (message === null) expect(rejection).toBeNull();
  else {
    expect(rejection?.reason).toBe('node_full');
    expect(rejection?.message).toMatch(message);
  }
});

const roomFacts = {
  ...capacity,
  idleCores: 6,
  freeMemoryBytes: 16_000 * MIB,
  usedCores: 0.6,
  transcode: { cores: 6, used: 0 },
};
test.each([
  // 3 streams use 0.6 cores, so 6 idle cores carry 30 more.
  ['for as many streams as the idle cores carry', {}, 30],
  // 6 cores / 0.05 cores.
  ['by the default cost before any stream', { streams: 0, usedCores: 0.01 }, 120],
  // 6 cores / 0.005 cores, the minimum cost.
  ['with an implausibly low cost', { usedCores: 0, freeMemoryBytes: null }, 1_200],
  ['by the limit of the operator', { maxStreams: 5 }, 2],
  // (300 - 128) MiB / 64 MiB.
  ['by memory', { freeMemoryBytes: 300 * MIB }, 2],
  // The renditions of a stream use 1.5 cores, as many as are left of their 6 cores.
  ['by the budget of the renditions', { transcode: { cores: 6, used: 4.5 }, usedCores: 5.1 }, 1],
  ['for none while overloaded', { overloadReason: 'late' }, 0],
  ['for none on a machine without idle cores', { idleCores: 0.1 }, 0],
  ['for none with less memory than the reserve', { freeMemoryBytes: 1 }, 0],
  ['unknown until the first measurement', { idleCores: null }, null],
] as const)('the estimated room, %s, is $2 streams', (_, change, streams) =>
  expect(estimateStreamRoom({ ...roomFacts, ...change })).toBe(streams),
);

test('exponentialMovingAverage weighs a sample by its interval, and takes it as it is after half a minute', () => {
  expect(exponentialMovingAverage(null, 4, 1_000)).toBe(4);
  expect(exponentialMovingAverage(1, 4, 10_000)).toBe(2);
  expect(exponentialMovingAverage(1, 4, 90_000)).toBe(4);
});
