import { expect, test } from 'vitest';
import { isDismissed } from './dismissal';

const until = 1_000;
const message = 'Keyframes every 8 s';

test.each([
  ['began before', { at: 900 }, true],
  ['is the one that was dismissed', { at: 1_000, message: 'another sentence' }, true],
  ['began again later', { at: 1_001 }, false],
  ['is of the same session', { at: null, startedAt: 900 }, true],
  ['is worse by now', { at: null, startedAt: 900, message: 'Keyframes every 10.5 s' }, true],
  ['is another one of the same session', { at: null, startedAt: 900, message: 'No video' }, false],
  ['is of a later session', { at: null, startedAt: 1_001 }, false],
  ['has no time', { at: null }, true],
  ['has no time and another sentence', { at: null, message: '90 % of 5 GB are used: refused' }, false],
])('a problem that %s', (_name, problem, dismissed) => {
  expect(isDismissed({ message, ...problem }, { message, until })).toBe(dismissed);
});
