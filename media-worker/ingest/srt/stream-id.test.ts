import { expect, it } from 'vitest';
import { parseStreamId } from './stream-id';

const key = 'abcd-ef12-3456-7890';

it.each([
  key,
  ` ${key}\n`,
  `live/${key}`,
  `/live/${key}`,
  `publish:${key}`,
  `publish:live/${key}`,
  `publish:${key}:user:password`,
  `input:${key}`,
  `#!::r=${key}`,
  `#!::r=${key},m=publish`,
  `#!::m=publish,r=live/${key},u=ada,s=1`,
  `#!::u=ada, r = ${key}, m = publish`,
  `${key}?latency=200`,
])('%j publishes to the key', (text) => {
  expect(parseStreamId(text)).toEqual({ streamKey: key, isPublish: true });
});

it.each([
  `read:${key}`,
  `play:${key}`,
  `request:${key}`,
  `#!::r=${key},m=request`,
  `#!::r=${key},m=bidirectional`,
])('%j does not publish', (text) => {
  expect(parseStreamId(text)).toEqual({ streamKey: key, isPublish: false });
});

it.each(['', '  ', 'publish:', '#!::', '#!::m=publish', '#!::r=', '/', '#!::=,=,'])(
  '%j has no key',
  (text) => {
    expect(parseStreamId(text)).toEqual({ streamKey: '', isPublish: true });
  },
);

it('reads a key that contains a colon', () => {
  expect(parseStreamId('a:b').streamKey).toBe('a:b');
});
