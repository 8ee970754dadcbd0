import { expect, it } from 'vitest';
import { publishSourceOf, testPatternQuery } from '@/media-worker/media/packets/publish';
import { parseAppName, keyTail, streamKeyOf } from './ask-admission';

it.each(['live', 'live/', '/live', '/live//', ' live', 'live?token=1', 'live/?token=1', 'live/abcd-efgh'])(
  '%j is the application live',
  (app) => {
    expect(parseAppName(app)).toBe('live');
  },
);

it.each(['lively', 'x/live', '', '?live'])('%j is not the application live', (app) => {
  expect(parseAppName(app)).not.toBe('live');
});

it.each([
  ['abcd-efgh', 'live', 'abcd-efgh'],
  ['abcd?sign=1&sign=2', 'live', 'abcd'],
  ['abcd?next=/a/b', 'live', 'abcd'],
  ['abcd??', 'live', 'abcd'],
  ['?sign=1', 'live', ''],
  [' abcd-efgh\r\n', 'live', 'abcd-efgh'],
  ['\u00a0abcd-efgh\t', 'live/', 'abcd-efgh'],
  ['/abcd-efgh/', 'live', 'abcd-efgh'],
  ['live/abcd-efgh', 'live', 'abcd-efgh'],
  ['rtmp://media.example.com:1935/live/abcd-efgh', 'live', 'abcd-efgh'],
  ['', 'live/abcd-efgh', 'abcd-efgh'],
  ['  ', 'live/abcd-efgh /', 'abcd-efgh'],
  ['?user=x', '/live/abcd-efgh?user=x', 'abcd-efgh'],
  ['ijkl-mnop', 'live/abcd-efgh', 'ijkl-mnop'],
  ['', 'live', ''],
])('the key of %j at the application %j is %j', (name, app, key) => {
  expect(streamKeyOf(name, app)).toBe(key);
});

it('distinguishes the test pattern from encoders that append their own query', () => {
  expect(publishSourceOf(`abcd-efgh${testPatternQuery}`)).toBe('test-pattern');
  expect(['abcd-efgh', 'abcd?user=x', '?source=test', ''].map(publishSourceOf)).toEqual(
    Array(4).fill('encoder'),
  );
});

it('shows the last four characters of a key, and none of a short one', () => {
  expect(keyTail('abcd-efgh-ijkl-mnop')).toBe('…mnop');
  expect(keyTail('password')).toBe('…');
});
