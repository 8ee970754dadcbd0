import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceptsGzip, parseByteRange, gzipAnswer } from './serve-bytes';

describe('parseByteRange', () => {
  test.each([
    [undefined, 'whole'],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=10-1000', { start: 10, end: 99 }],
    ['bytes=-5', { start: 95, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=99-99', { start: 99, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-3', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['lines=0-1', 'whole'],
    ['bytes=a-b', 'whole'],
  ])('resolves the Range header %s against a file of 100 bytes', (header, expectedRange) => {
    expect(parseByteRange(header, 100)).toEqual(expectedRange);
  });

  test('returns no range that leaves the file', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat({ max: 1_000 }), (first, last, length) => {
        const range = parseByteRange(`bytes=${first}-${last}`, length);
        if (typeof range === 'string') return;
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThan(length);
      }),
    );
  });
});

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['gzip, deflate, br, zstd', true],
  ['br;q=1.0, GZIP;q=0.5', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000, *', false],
  ['gzip;q=0.001', true],
  ['identity', false],
  ['*', true],
  ['*;q=0', false],
  ['x-gzip', false],
])('Accept-Encoding %s accepts gzip: %s', (header, accepted) => {
  expect(acceptsGzip(header)).toBe(accepted);
});

test('an answer is compressed once, and stays unchanged if it would not be shorter', () => {
  const text = '#EXT-X-PART\n'.repeat(20);
  const answer = { status: 200, headers: { Vary: 'Accept-Encoding' }, body: [Buffer.from(text)] };
  const gzip = gzipAnswer(answer);
  expect(gzip.headers).toEqual({ Vary: 'Accept-Encoding', 'Content-Encoding': 'gzip' });
  expect(gunzipSync(gzip.body?.[0] ?? Buffer.alloc(0)).toString()).toBe(text);
  expect(gzipAnswer(answer)).toBe(gzip);
  const shortAnswer = { status: 200, body: [Buffer.from('#EXTM3U\n')] };
  expect(gzipAnswer(shortAnswer)).toBe(shortAnswer);
});
