import fc from 'fast-check';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assetKey, assetPrefix, isStorageKey, isStoragePrefix, recordingKey } from './storage-keys';

const id = '6f1c2a34-0d3e-4c55-9f4b-0a7e8a1b2c3d';

describe('isStorageKey', () => {
  test.each([assetKey(id, 'source.mp4'), assetKey(id, 'hls/000001.m4s'), recordingKey(id, '3/init.mp4')])(
    'accepts %s',
    (key) => expect(isStorageKey(key)).toBe(true),
  );

  test.each([
    ...['', '/', '/a', 'a/', 'a//b', '.', '..', '../a', 'a/../b', 'a/./b', 'a/.hidden', '.part'],
    ...['a\\b', 'a b', 'a\0b', 'a%2fb', 'a\n', 'ä', 'a:b', 'a'.repeat(129), 'a/'.repeat(300) + 'a'],
  ])('rejects %j', (key) => expect(isStorageKey(key)).toBe(false));

  test('accepts only keys that stay below the folder they are joined to', () => {
    const segment = fc.string({ maxLength: 6 });
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
        const key = segments.join('/');
        if (isStorageKey(key)) expect(posix.join('/base', key)).toBe(`/base/${key}`);
      }),
    );
  });
});

test('isStoragePrefix accepts only a key with a trailing slash', () => {
  expect(isStoragePrefix(assetPrefix(id))).toBe(true);
  for (const text of ['', '/', 'a', '../', 'a//']) expect(isStoragePrefix(text)).toBe(false);
});
