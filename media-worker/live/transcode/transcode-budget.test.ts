import { describe, expect, test } from 'vitest';
import { TranscodeBudget } from './transcode-budget';

test('a single transcoder may use any number of cores; others get the rest', () => {
  const budget = new TranscodeBudget(2);
  const [firstOwner, secondOwner, thirdOwner] = [{}, {}, {}];
  expect(budget.freeCoresFor(firstOwner)).toBe(Infinity);
  budget.reserve(firstOwner, 1.5);
  expect(budget.freeCoresFor(firstOwner)).toBe(Infinity);
  expect(budget.freeCoresFor(secondOwner)).toBe(0.5);
  budget.reserve(secondOwner, 0.5);
  expect(budget.freeCoresFor(thirdOwner)).toBe(0);
  expect(budget.freeCoresFor(firstOwner)).toBe(1.5);
});

test('released cores can be taken by others', () => {
  const budget = new TranscodeBudget(2);
  const [firstOwner, secondOwner] = [{}, {}];
  budget.reserve(firstOwner, 1.5);
  budget.reserve(firstOwner, 0.5);
  expect(budget.freeCoresFor(secondOwner)).toBe(1.5);
  budget.reserve(firstOwner, 0);
  budget.reserve(firstOwner, 0);
  expect(budget.freeCoresFor(secondOwner)).toBe(Infinity);
});

describe('the usage of a stream', () => {
  /** Measures once a second that an owner uses this many cores. */
  const measureUsage = (
    budget: TranscodeBudget,
    owner: object,
    fromSecond: number,
    seconds: number,
    cores: number,
  ) => {
    for (let second = fromSecond; second <= fromSecond + seconds; second++)
      budget.measure(owner, { now: second * 1_000, cpuMs: second * 1_000 * cores, keepsUp: true });
  };

  test('replaces its estimate after half a minute', () => {
    const budget = new TranscodeBudget(2);
    const [owner, newOwner] = [{}, {}];
    budget.reserve(owner, 1);
    measureUsage(budget, owner, 0, 29, 0.6);
    expect(budget.freeCoresFor(newOwner)).toBe(1);
    measureUsage(budget, owner, 29, 2, 0.6);
    // Two cores, of which 0.6 are used.
    expect(budget.freeCoresFor(newOwner)).toBeCloseTo(1.4);
    expect(budget.used).toBeCloseTo(0.6);
    // The CPU time of a new process starts at zero.
    budget.measure(owner, { now: 32_000, cpuMs: 0, keepsUp: true });
    expect(budget.freeCoresFor(newOwner)).toBeCloseTo(1.4);
    budget.reserve(owner, 1);
    expect(budget.freeCoresFor(newOwner)).toBe(1);
  });

  test('counts with its estimate, and never as too slow, if measurements are switched off', () => {
    const budget = new TranscodeBudget(2, { measures: false });
    const owner = {};
    budget.reserve(owner, 1);
    measureUsage(budget, owner, 0, 60, 0.6);
    budget.reportStrain(owner, 60_000);
    expect(budget.freeCoresFor({}, 60_000)).toBe(1);
  });

  test('keeps others from starting renditions for a minute if the machine is too slow for it', () => {
    const budget = new TranscodeBudget(2);
    const [owner, newOwner] = [{}, {}];
    budget.reserve(owner, 1.5);
    budget.reportStrain(owner, 0);
    expect(budget.freeCoresFor(newOwner, 59_000)).toBe(0);
    expect(budget.freeCoresFor(owner, 59_000)).toBe(Infinity);
    expect(budget.freeCoresFor(newOwner, 60_000)).toBe(0.5);
  });

  test('does not keep others from starting renditions if other programs keep the machine busy', () => {
    const budget = new TranscodeBudget(2);
    const [owner, newOwner] = [{}, {}];
    budget.reserve(owner, 0.4);
    budget.reportStrain(owner, 0);
    expect(budget.freeCoresFor(newOwner, 1_000)).toBe(1.6);
  });
});
