import { expect, it } from 'vitest';
import { sourceOf, testPatternQuery } from '../media/publish';
import { appName, keyTail, withoutQuery } from './ask-admission';

it.each(['live', 'live/', '/live', '/live//', 'live?token=1', 'live/?token=1'])('%s is live', (app) => {
  expect(appName(app)).toBe('live');
});

it.each(['lively', 'live/x', ''])('%j is not live', (app) => {
  expect(appName(app)).not.toBe('live');
});

it.each([
  ['abcd-efgh', 'abcd-efgh'],
  ['abcd?sign=1&sign=2', 'abcd'],
  ['abcd??', 'abcd'],
  ['?sign=1', ''],
])('the key of %s is %j', (name, key) => {
  expect(withoutQuery(name)).toBe(key);
});

it('tells the test pattern from encoders that append a query of their own', () => {
  expect(sourceOf(`abcd-efgh${testPatternQuery}`)).toBe('test-pattern');
  expect(['abcd-efgh', 'abcd?user=x', '?source=test', ''].map(sourceOf)).toEqual(Array(4).fill('encoder'));
});

it('shows four characters of a key, and none of a short one', () => {
  expect(keyTail('abcd-efgh-ijkl-mnop')).toBe('…mnop');
  expect(keyTail('password')).toBe('…');
});
