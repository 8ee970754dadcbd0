import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeAmf0 } from '@/media-worker/ingest/rtmp/testing/amf0';
import { toChunks } from '@/media-worker/ingest/rtmp/testing/chunks';
import { HANDSHAKE_BYTES, TargetAnswers } from './target-answers';

/** `type`: 1 sets the chunk size, 3 acknowledges bytes, 5 sets the window, and 20 is a command. */
const message = (type: number, payload: Buffer, chunkSize = 128) => toChunks({ type, payload }, chunkSize);

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const handshake = Buffer.alloc(HANDSHAKE_BYTES, 7);
const rejection = (ex: object) =>
  message(
    20,
    encodeAmf0('_error', 1, null, {
      level: 'error',
      code: 'NetConnection.Connect.Rejected',
      description: 'd'.repeat(200),
      ex: { ...ex },
    }),
  );

function answersTo(bytes: Buffer, chunkLengths: readonly number[] = [bytes.length]): TargetAnswers {
  const answers = new TargetAnswers();
  let offset = 0;
  for (const length of [...chunkLengths, bytes.length]) {
    answers.push(bytes.subarray(offset, offset + length));
    offset += length;
  }
  return answers;
}

describe('the answers of a target', () => {
  const redirect = 'rtmp://b.example:1936/live';
  const wholeAnswer = Buffer.concat([
    ...[handshake, message(5, uint32(2_500_000)), message(1, uint32(4_096))],
    message(20, encodeAmf0('_result', 1, { fmsVer: 'x' }, { code: 'NetConnection.Connect.Success' }), 4_096),
    ...[message(3, uint32(900)), message(3, uint32(4_000_000_000))],
  ]);

  test('contain the number of acknowledged bytes, however the bytes are split', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 40 }), (chunkLengths) => {
        const answers = answersTo(wholeAnswer, chunkLengths);
        expect(answers.acknowledged).toBe(4_000_000_000);
        expect(answers.redirect).toBeNull();
      }),
    );
  });

  test('contain a redirect only with the code 302 and a URL', () => {
    expect(answersTo(Buffer.concat([handshake, rejection({ code: 302, redirect })])).redirect).toBe(redirect);
    expect(answersTo(Buffer.concat([handshake, rejection({ code: 403, redirect })])).redirect).toBeNull();
    expect(answersTo(Buffer.concat([handshake, rejection({ code: 302 })])).redirect).toBeNull();
  });

  test('are empty before the end of the handshake', () => {
    expect(answersTo(message(3, uint32(900))).acknowledged).toBeNull();
  });

  test('with a malformed message cause no exception and no wrong number of acknowledged bytes', () => {
    const brokenAnswers = [
      message(1, uint32(0)),
      message(3, Buffer.alloc(1)),
      message(20, Buffer.alloc(9, 0x0d)),
      Buffer.concat([Buffer.from([3, 0, 0, 0, 0xff, 0xff, 0xff, 20, 0, 0, 0, 0]), Buffer.alloc(400)]),
    ];
    for (const bytes of brokenAnswers) {
      const answers = answersTo(Buffer.concat([handshake, bytes, message(3, uint32(1))]));
      expect(answers.acknowledged).toSatisfy((value) => value === null || value === 1);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (noise) => {
        expect(() => answersTo(Buffer.concat([handshake, noise]))).not.toThrow();
      }),
    );
  });
});
