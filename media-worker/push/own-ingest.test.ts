import { expect, test } from 'vitest';
import { isOwnIngest } from './own-ingest';

const settings = { rtmpPort: 1935, rtmpUrl: 'rtmps://localhost:4443/live' };

test.each([
  ['127.0.0.1', 1935, true],
  ['::ffff:127.0.0.1', 1935, true],
  ['127.4.5.6', 1935, true],
  ['::1', 1935, true],
  ['127.0.0.1', 1936, false],
  ['203.0.113.9', 1935, false],
  ['127.0.0.1', 4443, true],
  ['203.0.113.9', 4443, false],
])('%s port %d', async (address, port, own) => {
  expect(await isOwnIngest({ address, port }, settings)).toBe(own);
});
