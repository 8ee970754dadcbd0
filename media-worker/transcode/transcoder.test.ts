import { expect, test } from 'vitest';
import { TranscodeBudget } from './transcoder';

test('whoever is alone may try everything; others get what is left', () => {
  const budget = new TranscodeBudget(2);
  const [first, second, third] = [{}, {}, {}];
  expect(budget.freeFor(first)).toBe(Infinity);
  budget.take(first, 1.5);
  expect(budget.freeFor(first)).toBe(Infinity);
  expect(budget.freeFor(second)).toBe(0.5);
  budget.take(second, 0.5);
  expect(budget.freeFor(third)).toBe(0);
  expect(budget.freeFor(first)).toBe(1.5);
});

test('what is given back can be taken by others', () => {
  const budget = new TranscodeBudget(2);
  const [first, second] = [{}, {}];
  budget.take(first, 1.5);
  budget.take(first, 0.5);
  expect(budget.freeFor(second)).toBe(1.5);
  budget.take(first, 0);
  budget.take(first, 0);
  expect(budget.freeFor(second)).toBe(Infinity);
});
