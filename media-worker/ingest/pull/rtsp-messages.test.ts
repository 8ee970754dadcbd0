import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RtspFault, type RtspItem, RtspReader, writeMessage } from './rtsp-messages';

const word = fc
  .stringMatching(/^[A-Za-z][A-Za-z-]{0,10}$/)
  .filter((name) => name.toLowerCase() !== 'content-length');
const message = fc
  .record({
    start: fc.constantFrom('RTSP/1.0 200 OK', 'DESCRIBE rtsp://a/b RTSP/1.0'),
    headers: fc.array(fc.tuple(word, fc.stringMatching(/^[!-~]{0,20}$/)), { maxLength: 4 }),
    body: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  })
  .map(({ start, headers, body }): RtspItem => {
    const length = body.length === 0 ? [] : [['Content-Length', String(body.length)] as const];
    return { kind: 'message', message: { startLine: start, headers: [...headers, ...length], body } };
  });
const frame = fc.uint8Array({ maxLength: 60 }).map((media): RtspItem => {
  const bytes = Buffer.concat([Buffer.from([0x24, 0, 0, 0]), media]);
  bytes.writeUInt16BE(media.length, 2);
  return { kind: 'frame', bytes };
});

test('formatted messages are parsed back, however they are split', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(message, frame), { maxLength: 8 }),
      fc.integer({ min: 1, max: 50 }),
      (items, step) => {
        const bytes = Buffer.concat(
          items.map((item) => (item.kind === 'frame' ? item.bytes : writeMessage(item.message))),
        );
        const reader = new RtspReader();
        const itemsRead: RtspItem[] = [];
        for (let offset = 0; offset < bytes.length; offset += step)
          itemsRead.push(...reader.push(bytes.subarray(offset, offset + step)));
        expect(itemsRead).toEqual(items);
      },
    ),
  );
});

test('arbitrary bytes are parsed, or rejected with RtspFault', () => {
  const part = fc.constantFrom(
    '$',
    '\0',
    '\r\n',
    '\n',
    'RTSP/1.0 200 OK',
    'Content-Length: ',
    '9',
    ':',
    ' ',
    'a',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      try {
        for (const item of new RtspReader().push(Buffer.from(parts.join(''), 'latin1')))
          if (item.kind === 'message') expect(item.message.startLine).not.toMatch(/[\r\n]/);
      } catch (error) {
        if (!(error instanceof RtspFault)) throw error;
      }
    }),
  );
});

test('a message head that is too long is rejected', () => {
  expect(() => new RtspReader().push(Buffer.alloc(20_000, 'a'))).toThrow(RtspFault);
});
