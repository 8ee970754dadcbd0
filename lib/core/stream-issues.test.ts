import { expect, test } from 'vitest';
import { healthyWith, hint, issuesNow, reconnecting } from './stream-issues';

test.each<[readonly string[], boolean]>([
  [[], true],
  [[hint('no sound')], true],
  [['no sound'], false],
  [[hint('no sound'), 'keyframes every 8 s'], false],
])('%j: healthy %s', (issues, healthy) => {
  expect(healthyWith(issues)).toBe(healthy);
});

test('an idle stream waits for no encoder', () => {
  expect(issuesNow(['no sound', reconnecting], true)).toEqual(['no sound', reconnecting]);
  expect(issuesNow(['no sound', reconnecting], false)).toEqual(['no sound']);
  expect([issuesNow([reconnecting], false), issuesNow([], true)]).toEqual([null, null]);
});
