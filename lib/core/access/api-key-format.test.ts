import fc from 'fast-check';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { crc32, formatApiKey, isWellFormedApiKey } from './api-key-format';

const randomPart = 'abcdefghijABCDEFGHIJ012345678901';

test('an API key has the prefix lsk_, 32 random characters and a checksum of 6 characters', () => {
  expect(formatApiKey(randomPart)).toMatch(new RegExp(`^lsk_${randomPart}[0-9A-Za-z]{6}$`));
  expect(isWellFormedApiKey(formatApiKey(randomPart))).toBe(true);
});

test('crc32 computes the CRC-32 of IEEE 802.3', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      expect(crc32(text)).toBe(zlibCrc32(text));
    }),
  );
});

test('a key with one changed character is not well-formed', () => {
  const key = formatApiKey(randomPart);
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom('0', 'a', 'Z', '_', ' ', 'é'), (index, character) => {
      const changedKey = key.slice(0, index) + character + key.slice(index + 1);
      expect(isWellFormedApiKey(changedKey)).toBe(changedKey === key);
    }),
  );
});

test.each(['', 'lsk_', 'x'.repeat(42), `${formatApiKey(randomPart)} `, `\n${formatApiKey(randomPart)}`])(
  '%j is not a well-formed API key',
  (text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  },
);
