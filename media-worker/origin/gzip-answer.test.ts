import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { acceptsGzip, gzipAnswer } from './gzip-answer';

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
])('Accept-Encoding %s → %s', (header, accepted) => {
  expect(acceptsGzip(header)).toBe(accepted);
});

test('an answer is compressed once, with its own headers', () => {
  const text = '#EXT-X-PART\n'.repeat(20);
  const answer = { status: 200, headers: { Vary: 'Accept-Encoding' }, body: [Buffer.from(text)] };
  const gzip = gzipAnswer(answer);
  expect(gzip.headers).toEqual({ Vary: 'Accept-Encoding', 'Content-Encoding': 'gzip' });
  expect(gunzipSync(gzip.body?.[0] ?? Buffer.alloc(0)).toString()).toBe(text);
  expect(gzipAnswer(answer)).toBe(gzip);
  const short = { status: 200, body: [Buffer.from('#EXTM3U\n')] };
  expect(gzipAnswer(short)).toBe(short);
});
