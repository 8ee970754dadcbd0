import fc from 'fast-check';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { crc32, formatApiKey, isWellFormedApiKey } from './api-key-format';

const body = 'abcdefghijABCDEFGHIJ012345678901';

test('an API key is lsk_, 32 random characters and a checksum of 6', () => {
  expect(formatApiKey(body)).toMatch(/^lsk_[0-9A-Za-z]{38}$/);
  expect(isWellFormedApiKey(formatApiKey(body))).toBe(true);
});

test('the checksum is standard CRC-32', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      expect(crc32(text)).toBe(zlibCrc32(text));
    }),
  );
});

test('any changed character is detected', () => {
  const key = formatApiKey(body);
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom('0', 'a', 'Z', '_', ' ', 'é'), (at, character) => {
      const changedKey = key.slice(0, at) + character + key.slice(at + 1);
      expect(isWellFormedApiKey(changedKey)).toBe(changedKey === key);
    }),
  );
});

test.each(['', 'lsk_', 'x'.repeat(42), `${formatApiKey(body)} `, `\n${formatApiKey(body)}`])(
  '%j is no API key',
  (text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  },
);
