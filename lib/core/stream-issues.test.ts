import { expect, test } from 'vitest';
import { healthyWith, hint } from './stream-issues';

test.each<[readonly string[], boolean]>([
  [[], true],
  [[hint('no sound')], true],
  [['no sound'], false],
  [[hint('no sound'), 'keyframes every 8 s'], false],
])('%j: healthy %s', (issues, healthy) => {
  expect(healthyWith(issues)).toBe(healthy);
});
