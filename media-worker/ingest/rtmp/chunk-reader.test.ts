import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChunkReader } from './chunk-reader';

interface SentMessage {
  /** Chunk stream id. */
  readonly cid: number;
  readonly timestamp: number;
  readonly body: Buffer;
}

interface ChunkStyle {
  readonly chunkBytes: number;
  /** Whether chunks that continue a message repeat its extended timestamp. */
  readonly repeatsTimestamp: boolean;
}

function createBasicHeader(fmt: number, cid: number): Buffer {
  if (cid < 64) return Buffer.from([(fmt << 6) | cid]);
  return Buffer.from([fmt << 6, cid - 64]);
}

/** The chunks of a message, with a full header. */
function chunksOf(
  { cid, timestamp, body }: SentMessage,
  { chunkBytes, repeatsTimestamp }: ChunkStyle,
): Buffer[] {
  const isExtended = timestamp >= 0xffffff;
  const extendedTimestamp = Buffer.alloc(isExtended ? 4 : 0);
  if (isExtended) extendedTimestamp.writeUInt32BE(timestamp);
  const header = Buffer.alloc(11);
  header.writeUIntBE(isExtended ? 0xffffff : timestamp, 0, 3);
  header.writeUIntBE(body.length, 3, 3);
  // The message type of video.
  header.writeUInt8(9, 6);
  const chunks = [
    Buffer.concat([createBasicHeader(0, cid), header, extendedTimestamp, body.subarray(0, chunkBytes)]),
  ];
  for (let offset = chunkBytes; offset < body.length; offset += chunkBytes) {
    const repeated = repeatsTimestamp ? extendedTimestamp : Buffer.alloc(0);
    chunks.push(
      Buffer.concat([createBasicHeader(3, cid), repeated, body.subarray(offset, offset + chunkBytes)]),
    );
  }
  return chunks;
}

function readMessages(stream: Buffer, pieceBytes: number, chunkBytes: number): SentMessage[] {
  const messages: SentMessage[] = [];
  const reader = new ChunkReader({
    onBasicHeader: () => undefined,
    onHeader: () => undefined,
    onStart: (started) => (started.payload = Buffer.alloc(started.header.length)),
    onMessage: ({ header, clock, payload }) =>
      messages.push({ cid: header.cid, timestamp: clock, body: payload }),
  });
  reader.chunkBytes = chunkBytes;
  for (let offset = 0; offset < stream.length; offset += pieceBytes)
    reader.push(stream.subarray(offset, offset + pieceBytes));
  return messages;
}

/** Bodies and extended timestamps have no bytes in common, so that a body never looks like a timestamp. */
const message = fc.record({
  timestamp: fc.oneof(
    fc.integer({ min: 0, max: 0xfffffe }),
    fc.constantFrom(0xffffff, 0x1000000),
    fc.integer({ min: 0x4000000, max: 2 ** 32 - 1 }),
  ),
  body: fc.uint8Array({ min: 1, max: 3, maxLength: 700 }).map((bytes) => Buffer.from(bytes)),
});
/**
 * The last message of each test, because the reader needs four more bytes to distinguish a repeated extended timestamp from a
 * shorter remainder of the payload.
 */
const lastMessage = { cid: 2, timestamp: 0, body: Buffer.alloc(4) };

it('reads interleaved messages with any timestamps, with and without repeated extended timestamps', () => {
  fc.assert(
    fc.property(
      fc.array(message, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(1, 3, 128, 4_096),
      fc.boolean(),
      fc.integer({ min: 1, max: 900 }),
      (messages, chunkBytes, repeatsTimestamp, pieceBytes) => {
        const sentMessages = messages.map((fields, index) => ({ ...fields, cid: 3 + index * 20 }));
        const queues = sentMessages.map((fields) => chunksOf(fields, { chunkBytes, repeatsTimestamp }));
        const chunks: Buffer[] = [];
        for (let round = 0; queues.some((queue) => queue.length > round); round++)
          chunks.push(...queues.flatMap((queue) => queue.slice(round, round + 1)));
        chunks.push(...chunksOf(lastMessage, { chunkBytes, repeatsTimestamp }));
        const receivedMessages = readMessages(Buffer.concat(chunks), pieceBytes, chunkBytes);
        const inOrder = (list: readonly SentMessage[]) => list.toSorted((a, b) => a.cid - b.cid);
        expect(inOrder(receivedMessages)).toEqual(inOrder([...sentMessages, lastMessage]));
      },
    ),
  );
});

it('adds the deltas of short headers to the timestamp, and repeats the last delta', () => {
  const body = Buffer.from('abc');
  const firstMessage = chunksOf(
    { cid: 6, timestamp: 1_000, body },
    { chunkBytes: 128, repeatsTimestamp: true },
  );
  // Format 2 has a timestamp delta, here of 40 ms; format 3 has no message header.
  const delta = Buffer.concat([Buffer.from([0x80 | 6, 0, 0, 40]), body]);
  const repeatedDelta = Buffer.concat([Buffer.from([0xc0 | 6]), body]);
  const messages = readMessages(
    Buffer.concat([...firstMessage, delta, repeatedDelta, repeatedDelta]),
    5,
    128,
  );
  expect(messages.map(({ timestamp }) => timestamp)).toEqual([1_000, 1_040, 1_080, 1_120]);
});

it('applies a chunk size that changes within a message', () => {
  const body = Buffer.alloc(300, 7);
  const [firstChunk = Buffer.alloc(0)] = chunksOf(
    { cid: 6, timestamp: 0, body },
    { chunkBytes: 128, repeatsTimestamp: true },
  );
  const messages: number[] = [];
  const reader = new ChunkReader({
    onBasicHeader: () => undefined,
    onHeader: () => undefined,
    onStart: (started) => (started.payload = Buffer.alloc(started.header.length)),
    onMessage: ({ payload }) => messages.push(payload.filter((byte) => byte === 7).length),
  });
  reader.push(firstChunk);
  reader.chunkBytes = 4_096;
  reader.push(Buffer.concat([Buffer.from([0xc0 | 6]), body.subarray(128)]));
  expect(messages).toEqual([300]);
});
