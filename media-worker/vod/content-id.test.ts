import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { contentId } from './content-id';

/** As `ipfs add --cid-version 1` prints them. */
test.each([
  ['hello world\n', 'bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4'],
  ['', 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
])('the identifier of %j', async (text, cid) => {
  expect(await contentId([Buffer.from(text)])).toBe(cid);
  expect(await contentId(Readable.from([Buffer.from(text)]))).toBe(cid);
});

test('depends on the bytes, not on the pieces they come in', async () => {
  const bytes = Buffer.alloc(1_000_000, 1);
  const whole = await contentId([bytes]);
  expect(whole).toBe('bafybeid2kj6m3epdygy5httmnqt7tkqfvvzubqvympian5uu2xy76ov6ee');
  const pieces = Array.from({ length: 1_000 }, (_, index) =>
    bytes.subarray(index * 1_000, (index + 1) * 1_000),
  );
  expect(await contentId(Readable.from(pieces))).toBe(whole);
});
