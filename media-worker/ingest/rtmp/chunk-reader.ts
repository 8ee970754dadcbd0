/** Bytes of a message header by chunk format (RTMP 5.3.1.2). */
const HEADER_BYTES = [11, 7, 3, 0] as const;
/** Longest basic header, which contains the chunk stream id. */
const MAX_BASIC_BYTES = 3;
const EXTENDED_TIMESTAMP_BYTES = 4;
/** Value of the timestamp field if an extended timestamp follows the header. */
const EXTENDED_TIMESTAMP = 0xffffff;
/** Chunk format without a message header, which repeats the header of the previous chunk. */
const CONTINUATION_FORMAT = 3;
const DEFAULT_CHUNK_BYTES = 128;
const NO_BYTES = Buffer.alloc(0);

/** One chunk stream and its current message. */
export interface ChunkStream {
  readonly header: {
    /** Chunk format, 0 to 3. The names of these fields are those of the RTMP library. */
    fmt: number;
    cid: number;
    timestamp: number;
    length: number;
    type: number;
    stream_id: number;
  };
  /** Timestamp of the message, ms. */
  clock: number;
  /** Memory for the message, and its size in bytes. */
  payload: Buffer;
  capacity: number;
  /** Bytes of the message read so far; 0 between messages. */
  bytes: number;
  extendedTimestamp: number;
}

/** All handlers may throw, which ends the reading. */
interface ChunkEvents {
  /** Called with the length of each basic header, before the rest of the header is read. */
  readonly onBasicHeader: (bytes: number) => void;
  /** Called with each header. `bytes` is 0 if the chunk starts a message. */
  readonly onHeader: (stream: ChunkStream) => void;
  /** Called when a message starts. The handler provides `payload` for `header.length` bytes. */
  readonly onStart: (stream: ChunkStream) => void;
  /** Called when a message is complete. */
  readonly onMessage: (stream: ChunkStream) => void;
}

/**
 * Assembles RTMP messages from chunks (RTMP 5.3). Encoders differ in whether chunks that continue a message repeat its
 * extended timestamp: both forms are read.
 */
export class ChunkReader {
  readonly streams = new Map<number, ChunkStream>();
  /** Maximum payload of a chunk, which the sender can change. */
  chunkBytes = DEFAULT_CHUNK_BYTES;
  readonly #events: ChunkEvents;
  readonly #header = Buffer.alloc(MAX_BASIC_BYTES + HEADER_BYTES[0] + EXTENDED_TIMESTAMP_BYTES);
  #headerBytes = 0;
  #neededBytes = 1;
  #basicHeaderBytes = 0;
  /** The stream of the current chunk; null until its header was read. */
  #stream: ChunkStream | null = null;
  #payloadBytesLeft = 0;

  constructor(events: ChunkEvents) {
    this.#events = events;
  }

  push(data: Buffer): void {
    for (let offset = 0; offset < data.length;) {
      if (this.#stream && this.#payloadBytesLeft > 0) {
        const end = Math.min(offset + this.#payloadBytesLeft, data.length);
        data.copy(this.#stream.payload, this.#stream.bytes, offset, end);
        this.#stream.bytes += end - offset;
        this.#payloadBytesLeft -= end - offset;
        offset = end;
        if (this.#payloadBytesLeft === 0) this.#endChunk(this.#stream);
      } else {
        this.#header[this.#headerBytes++] = data.readUInt8(offset++);
        if (this.#headerBytes === this.#neededBytes) this.#continueHeader();
      }
    }
  }

  /** Reads the next part of the header: the basic header, the message header, the extended timestamp. */
  #continueHeader(): void {
    const fmt = this.#header.readUInt8(0) >> 6;
    if (this.#basicHeaderBytes === 0) {
      const id = this.#header.readUInt8(0) & 0x3f;
      // The ids 0 and 1 mean that one or two more bytes contain the id (RTMP 5.3.1.1).
      this.#basicHeaderBytes = id > 1 ? 1 : 2 + id;
      this.#events.onBasicHeader(this.#basicHeaderBytes);
      this.#neededBytes = this.#basicHeaderBytes + (HEADER_BYTES[fmt] ?? 0);
      if (this.#headerBytes < this.#neededBytes) return;
    }
    if (!this.#stream) {
      this.#stream = this.#readHeader(fmt);
      this.#events.onHeader(this.#stream);
      if (this.#stream.header.timestamp === EXTENDED_TIMESTAMP) {
        this.#neededBytes += EXTENDED_TIMESTAMP_BYTES;
        return;
      }
    }
    this.#startPayload(this.#stream);
  }

  #readHeader(fmt: number): ChunkStream {
    const stream = this.#findStream();
    const { header } = stream;
    const messageHeaderOffset = this.#basicHeaderBytes;
    header.fmt = fmt;
    if (fmt < 3) header.timestamp = this.#header.readUIntBE(messageHeaderOffset, 3);
    if (fmt < 2) {
      header.length = this.#header.readUIntBE(messageHeaderOffset + 3, 3);
      header.type = this.#header.readUInt8(messageHeaderOffset + 6);
    }
    if (fmt === 0) header.stream_id = this.#header.readUInt32LE(messageHeaderOffset + 7);
    return stream;
  }

  #findStream(): ChunkStream {
    const shortId = this.#header.readUInt8(0) & 0x3f;
    const cid =
      this.#basicHeaderBytes === 1 ? shortId : 64 + this.#header.readUIntLE(1, this.#basicHeaderBytes - 1);
    let stream = this.streams.get(cid);
    if (!stream) {
      const header = { fmt: 0, cid, timestamp: 0, length: 0, type: 0, stream_id: 0 };
      stream = { header, clock: 0, payload: NO_BYTES, capacity: 0, bytes: 0, extendedTimestamp: 0 };
      this.streams.set(cid, stream);
    }
    return stream;
  }

  #startPayload(stream: ChunkStream): void {
    const { header } = stream;
    const isExtended = header.timestamp === EXTENDED_TIMESTAMP;
    const lastBytes = this.#header.subarray(this.#neededBytes - EXTENDED_TIMESTAMP_BYTES, this.#neededBytes);
    const timestamp = isExtended ? lastBytes.readUInt32BE(0) : header.timestamp;
    // A continuing chunk whose next four bytes are not the extended timestamp does not repeat it: they belong to the payload.
    const isPartOfPayload =
      isExtended &&
      header.fmt === CONTINUATION_FORMAT &&
      stream.bytes > 0 &&
      timestamp !== stream.extendedTimestamp;
    if (!isPartOfPayload) stream.extendedTimestamp = timestamp;
    if (stream.bytes === 0) {
      // Only a full header (format 0) has an absolute timestamp; the others have a delta.
      stream.clock = header.fmt === 0 ? timestamp : stream.clock + timestamp;
      this.#events.onStart(stream);
    }
    this.#payloadBytesLeft = Math.min(this.chunkBytes, header.length - stream.bytes);
    if (this.#payloadBytesLeft === 0) this.#endChunk(stream);
    else if (isPartOfPayload) this.push(Buffer.from(lastBytes));
  }

  #endChunk(stream: ChunkStream): void {
    this.#headerBytes = this.#basicHeaderBytes = 0;
    this.#neededBytes = 1;
    this.#stream = null;
    if (stream.bytes < stream.header.length) return;
    stream.bytes = 0;
    this.#events.onMessage(stream);
  }
}
