export interface Message {
  readonly type: number;
  readonly payload: Buffer;
  readonly timestamp?: number;
  readonly chunkStream?: number;
  readonly streamId?: number;
  /** Length announced in the header; the length of the payload by default. */
  readonly announcedBytes?: number;
}

/**
 * A message in chunks: a full header (format 0), then format 3.
 * @param chunkSize chunk size announced to the server
 */
export function toChunks(message: Message, chunkSize = 128): Buffer {
  const { type, payload, timestamp = 0, chunkStream = 3, streamId = 0 } = message;
  const hasExtendedTimestamp = timestamp >= 0xffffff;
  const header = Buffer.alloc(12);
  header[0] = chunkStream;
  header.writeUIntBE(hasExtendedTimestamp ? 0xffffff : timestamp, 1, 3);
  header.writeUIntBE(message.announcedBytes ?? payload.length, 4, 3);
  header[7] = type;
  header.writeUInt32LE(streamId, 8);
  const extendedTimestamp = Buffer.alloc(hasExtendedTimestamp ? 4 : 0);
  if (hasExtendedTimestamp) extendedTimestamp.writeUInt32BE(timestamp);
  const parts = [header, extendedTimestamp, payload.subarray(0, chunkSize)];
  for (let offset = chunkSize; offset < payload.length; offset += chunkSize) {
    parts.push(
      Buffer.from([0xc0 | chunkStream]),
      extendedTimestamp,
      payload.subarray(offset, offset + chunkSize),
    );
  }
  return Buffer.concat(parts);
}

/** A message with a time delta to the previous one of its chunk stream (format 1: delta, length, type). */
export function toDeltaChunk(delta: number, type: number, payload: Buffer, chunkStream: number): Buffer {
  const header = Buffer.alloc(8);
  header[0] = 0x40 | chunkStream;
  header.writeUIntBE(delta, 1, 3);
  header.writeUIntBE(payload.length, 4, 3);
  header[7] = type;
  return Buffer.concat([header, payload]);
}
