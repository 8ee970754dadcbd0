import { expect, test } from 'vitest';
import { WorkEstimate } from './work-estimate';

const startTime = new Date('2030-01-01T00:00:00Z');

function createEstimate(progress: number) {
  const time = { ms: 0 };
  const clock = { now: () => new Date(startTime.getTime() + time.ms), monotonic: () => time.ms };
  return { time, estimate: new WorkEstimate(clock, progress) };
}

test('the reported progress never falls when a restarted run repeats finished work', () => {
  const { estimate } = createEstimate(0.7);
  const reports = [0, 0.2, 0.71, 0.5, 0.9, 0.1, 1].map((progress) => {
    estimate.setProgress(progress);
    return estimate.report().progress;
  });
  expect(reports).toEqual([0.7, 0.7, 0.71, 0.71, 0.9, 0.9, 0.99]);
});

test('the expected end is computed from the speed of this run, once it has done enough work', () => {
  const { time, estimate } = createEstimate(0.5);
  time.ms = 10_000;
  estimate.setProgress(0.52);
  expect(estimate.report().expectedAt).toBeNull();
  estimate.setProgress(0.6);
  // A tenth in 10 s: four tenths more take 40 s.
  expect(estimate.report().expectedAt?.getTime()).toBeCloseTo(startTime.getTime() + 50_000, -1);
});
