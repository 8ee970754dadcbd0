import { ChunkReader } from './chunk-reader';
import * as limit from './ingest-limits';
import type { MediaMessageType } from '@/media-worker/media/packets/flv-tag';
import { ProtocolViolation } from '@/media-worker/ingest/publisher/publisher-limits';
import type { IngestLimits } from './ingest-limits';
import { PayloadSlab } from '@/media-worker/media/packets/flv-reader';
import { decodeCommand, Rtmp } from '@/media-worker/media/packets/rtmp-library';

/** First byte that an encoder sends if it connects to RTMP_PORT with rtmps://. */
const TLS_HANDSHAKE = 0x16;
/** First byte of the handshake (C0). */
const RTMP_VERSION = 3;
/** Value of the library's `handshakeState` after the handshake. The constants below are RTMP message types. */
const HANDSHAKE_DONE = 3;
const SET_CHUNK_SIZE = 1;
const ABORT = 2;
const WINDOW_ACKNOWLEDGEMENT_SIZE = 5;
const FLEX_COMMAND = 17;
const DATA = 18;
const AGGREGATE = 22;
/** Bytes before and after each message in an aggregate message. */
const AGGREGATE_HEADER_BYTES = 11;
const AGGREGATE_TRAILER_BYTES = 4;
const NO_BYTES = Buffer.alloc(0);

/** Events of the client, validated in shape. Handlers run inside `parserData`, and may throw to end the connection. */
interface ProtocolEvents {
  /** Called for connect with the application as sent; returns whether the connection is accepted. */
  connect(app: string): boolean;
  /** Called when the client was rejected because its application does not exist. */
  connectRejected(): void;
  /** Called for publish with the publish name as sent, including its query string. */
  publish(name: string, streamId: number): void;
  /** Called for FCUnpublish, deleteStream or closeStream. */
  unpublish(): void;
  /** Called for an audio or video message. The handler may keep `body`. `timestamp` is in milliseconds modulo 2^32. */
  handleMedia(type: MediaMessageType, timestamp: number, body: Buffer): void;
  /** Called for an AMF0 data message, for example `onMetaData`. */
  metadata(message: Buffer): void;
  /** Called when the client requests an acknowledgement after each window of this size. */
  acknowledgementWindow(bytes: number): void;
  /** Called with bytes to send to the client. */
  output(data: Buffer): void;
}

/**
 * The RTMP protocol of the library with a chunk reader and limits of this service: only the handshake and the replies are those
 * of the library. Input goes through `parserData`, which throws ProtocolViolation or a library error if the client violates
 * the protocol. The caller then destroys the socket.
 */
export class GuardedProtocol extends Rtmp {
  readonly #limits: IngestLimits;
  readonly #events: ProtocolEvents;
  readonly #slab = new PayloadSlab();
  readonly #chunks = new ChunkReader({
    onBasicHeader: limit.checkBasicHeader,
    onHeader: ({ bytes, header }) => {
      limit.checkContinuation(bytes, header.fmt);
      limit.checkChunkStreams(this.#chunks.streams.size, this.#limits);
    },
    onStart: (stream) => {
      this.parserPacket = stream;
      this.packetAlloc();
    },
    onMessage: (stream) => {
      this.parserPacket = stream;
      this.packetHandler();
    },
  });
  /** After a rejection, all input is ignored until the socket closes. */
  #connectState: 'none' | 'accepted' | 'rejected' = 'none';
  #hasRequestedPublish = false;

  constructor(limits: IngestLimits, events: ProtocolEvents) {
    super();
    this.#limits = limits;
    this.#events = events;
    this.onOutputCallback = (data) => events.output(data);
    this.inPackets = this.#chunks.streams;
    this.flv = null; // the library allocates 1 MiB for an FLV reader that RTMP never uses
  }

  get isHandshakeComplete(): boolean {
    return this.handshakeState === HANDSHAKE_DONE;
  }

  override parserData(data: Buffer): string | null {
    if (this.handshakeState === 0 && data[0] !== RTMP_VERSION)
      throw new ProtocolViolation(
        data[0] === TLS_HANDSHAKE ? 'TLS on the port without TLS' : 'not RTMP version 3',
      );
    return super.parserData(data);
  }

  override chunkRead(data: Buffer, start: number, bytes: number): null {
    this.#chunks.push(data.subarray(start, start + bytes));
    return null;
  }

  /** Checks the length of a message that starts, and allocates memory for it. */
  override packetAlloc(): void {
    const stream = this.parserPacket;
    // The sum of deltas exceeds 32 bits after 49.7 days.
    stream.clock %= 2 ** 32;
    if (!this.#hasRequestedPublish) limit.checkEarlyMessageLength(stream.header.length, this.#limits);
    limit.checkMessageLength(stream.header.type, stream.header.length, this.#limits);
    limit.checkConnectionMemory(this.#otherHeldBytes(stream), stream.header.length, this.#limits);
    if (!isMedia(stream.header.type)) {
      super.packetAlloc();
      return;
    }
    // Messages are read into their own memory, because the next one would overwrite the library's buffer.
    stream.payload = this.#slab.allocate(stream.header.length);
    stream.capacity = stream.header.length;
  }

  #otherHeldBytes(stream: object): number {
    let heldBytes = 0;
    for (const chunkStream of this.inPackets.values())
      if (chunkStream !== stream) heldBytes += chunkStream.capacity;
    return heldBytes;
  }

  /** Handles a protocol control message: chunk size, abort or acknowledgement window. */
  override controlHandler(): void {
    const { header, payload } = this.parserPacket;
    limit.checkControlLength(header.length);
    const value = payload.readUInt32BE();
    if (header.type === SET_CHUNK_SIZE) {
      limit.checkChunkSize(value);
      this.#chunks.chunkBytes = value;
    }
    if (header.type === WINDOW_ACKNOWLEDGEMENT_SIZE) this.#events.acknowledgementWindow(value);
    const abortedStream = header.type === ABORT ? this.inPackets.get(value) : undefined;
    if (abortedStream) abortedStream.bytes = 0;
  }

  override packetHandler(): void {
    if (this.parserPacket.header.type === AGGREGATE) this.#readAggregate();
    else super.packetHandler();
  }

  override invokeHandler(): void {
    if (this.#connectState === 'rejected') return;
    const { header, payload } = this.parserPacket;
    // An AMF3 command has one byte before its AMF0 values.
    const start = header.type === FLEX_COMMAND ? 1 : 0;
    const message = decodeCommand(payload.subarray(start, header.length));
    switch (message['cmd']) {
      case 'connect':
        this.#connect(message);
        break;
      case 'createStream':
        this.#createStream(message);
        break;
      case 'publish':
        this.#publish(message);
        break;
      case 'play':
      case 'play2':
        throw new ProtocolViolation('play is not offered');
      case 'FCUnpublish':
      case 'deleteStream':
      case 'closeStream':
        this.#events.unpublish();
        break;
    }
  }

  /** Handles a media or data message. Metadata only shows which tracks to wait for: decoder configurations show the rest. */
  override dataHandler(): void {
    const { header, clock, payload } = this.parserPacket;
    if (header.type === DATA && this.#connectState === 'accepted')
      this.#events.metadata(payload.subarray(0, header.length));
    if (!isMedia(header.type)) return;
    this.parserPacket.payload = NO_BYTES;
    this.parserPacket.capacity = 0;
    if (this.#connectState !== 'rejected') this.#events.handleMedia(header.type, clock, payload);
  }

  /** Reads the messages of an aggregate message (RTMP 7.1.6). The first of them has its timestamp. */
  #readAggregate(): void {
    const { header, clock, payload } = this.parserPacket;
    const body = payload.subarray(0, header.length);
    let timestampShift: number | null = null;
    for (let offset = 0; offset + AGGREGATE_HEADER_BYTES <= body.length;) {
      const [type, start] = [body.readUInt8(offset), offset + AGGREGATE_HEADER_BYTES];
      const end = start + body.readUIntBE(offset + 1, 3);
      const timestamp = body.readUIntBE(offset + 4, 3) + body.readUInt8(offset + 7) * 2 ** 24;
      if (end > body.length) throw new ProtocolViolation('aggregate message is truncated');
      timestampShift ??= clock - timestamp;
      if (isMedia(type) && this.#connectState !== 'rejected')
        this.#events.handleMedia(
          type,
          (timestamp + timestampShift + 2 ** 32) % 2 ** 32,
          this.#slab.store(body.subarray(start, end)),
        );
      offset = end + AGGREGATE_TRAILER_BYTES;
    }
  }

  #connect(message: Record<string, unknown>): void {
    const commandObject = message['cmdObj'];
    const app = isObject(commandObject) ? commandObject['app'] : undefined;
    if (this.#connectState !== 'none') throw new ProtocolViolation('connect twice');
    if (!isObject(commandObject) || typeof app !== 'string')
      throw new ProtocolViolation('connect without an app');
    const transId = numberOrZero(message['transId']);
    this.#connectState = this.#events.connect(app) ? 'accepted' : 'rejected';
    if (this.#connectState === 'accepted') this.onConnect({ transId, cmdObj: commandObject });
    else this.#rejectConnect(transId);
  }

  #rejectConnect(transId: number): void {
    const info = {
      level: 'error',
      code: 'NetConnection.Connect.Rejected',
      description: 'Unknown application.',
    };
    this.sendInvokeMessage(0, { cmd: '_error', transId, cmdObj: null, info });
    this.#events.connectRejected();
  }

  #createStream(message: Record<string, unknown>): void {
    if (this.#connectState !== 'accepted') throw new ProtocolViolation('createStream before connect');
    this.respondCreateStream(numberOrZero(message['transId']));
  }

  #publish(message: Record<string, unknown>): void {
    const name = message['streamName'];
    if (this.#connectState !== 'accepted') throw new ProtocolViolation('publish before connect');
    if (typeof name !== 'string') throw new ProtocolViolation('publish without a name');
    limit.checkPublishName(name);
    this.#hasRequestedPublish = true;
    this.#events.publish(name, this.parserPacket.header.stream_id);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberOrZero(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Whether a message type is audio (8) or video (9). */
function isMedia(type: number): type is MediaMessageType {
  return type === 8 || type === 9;
}
