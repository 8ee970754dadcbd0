import { expect, test } from 'vitest';
import { isDismissed } from './dismissal';

/** Unix milliseconds of the dismissed problem. */
const UNTIL = 1_000;
const message = 'Keyframes every 8 s';

test.each([
  ['started before the dismissal', { at: 900 }, true],
  ['is the dismissed one', { at: 1_000, message: 'another message' }, true],
  ['started again later', { at: 1_001 }, false],
  ['is of the same session', { at: null, startedAt: 900 }, true],
  ['has become worse', { at: null, startedAt: 900, message: 'Keyframes every 10.5 s' }, true],
  ['differs in the same session', { at: null, startedAt: 900, message: 'No video' }, false],
  ['is of a later session', { at: null, startedAt: 1_001 }, false],
  ['has no time', { at: null }, true],
  ['has no time and another message', { at: null, message: '90 % of 5 GB are used: rejected' }, false],
])('a problem that %s is hidden: $2', (_name, problem, isHidden) => {
  expect(isDismissed({ message, ...problem }, { message, until: UNTIL })).toBe(isHidden);
});
