import { decodeCommand, Rtmp } from '@/media-worker/media/packets/rtmp-library';

/** Length of S0, S1 and S2 (RTMP specification 1.0, section 5.2). */
export const HANDSHAKE_BYTES = 1 + 2 * 1_536;
/** State of the library's reader after the handshake. */
const HANDSHAKE_DONE = 3;
// Message types (sections 5.4 and 7.1).
const SET_CHUNK_SIZE = 1;
const ABORT = 2;
const ACKNOWLEDGEMENT = 3;
/** A command whose payload starts with a byte for the AMF version. */
const FLEX_COMMAND = 17;
const MAX_MESSAGE_BYTES = 64 * 1_024;
const MAX_CHUNK_STREAMS = 32;

class AnswerFormatError extends Error {}

/**
 * Reads acknowledgements and redirects of an RTMP server during a publish. `push` must receive all bytes of the
 * server. Reading stops at a malformed or oversized message; after that, only ffmpeg evaluates the server.
 */
export class TargetAnswers {
  readonly #reader = new AnswerReader();
  #handshakeReceived = 0;
  #isReadable = true;

  /** Bytes that the server has acknowledged, modulo 2^32 (section 5.4.3); null if none. */
  get acknowledged(): number | null {
    return this.#reader.acknowledged;
  }

  /** URL of the application that the server redirects to; null if none. */
  get redirect(): string | null {
    return this.#reader.redirect;
  }

  push(chunk: Buffer): void {
    const handshakeLength = Math.min(chunk.length, HANDSHAKE_BYTES - this.#handshakeReceived);
    this.#handshakeReceived += handshakeLength;
    if (!this.#isReadable || handshakeLength === chunk.length) return;
    try {
      if (this.#reader.parserData(chunk.subarray(handshakeLength)) !== null) this.#isReadable = false;
    } catch {
      this.#isReadable = false;
    }
  }
}

/** The chunk reader of the library, used on the client side and with limits. */
class AnswerReader extends Rtmp {
  acknowledged: number | null = null;
  redirect: string | null = null;

  constructor() {
    super();
    this.handshakeState = HANDSHAKE_DONE;
    this.flv = null;
  }

  override packetAlloc(): void {
    if (this.parserPacket.header.length > MAX_MESSAGE_BYTES) throw new AnswerFormatError('message too long');
    if (this.inPackets.size > MAX_CHUNK_STREAMS) throw new AnswerFormatError('too many chunk streams');
    super.packetAlloc();
  }

  override controlHandler(): void {
    const { header, payload } = this.parserPacket;
    if (header.length < 4) throw new AnswerFormatError('control message too short');
    const value = payload.readUInt32BE();
    if (header.type === ACKNOWLEDGEMENT) this.acknowledged = value;
    if (header.type === SET_CHUNK_SIZE) {
      if (value < 1 || value > 2 ** 24) throw new AnswerFormatError('chunk size out of range');
      this.inChunkSize = value;
    }
    const abortedPacket = header.type === ABORT ? this.inPackets.get(value) : undefined;
    if (abortedPacket) abortedPacket.bytes = 0;
  }

  override invokeHandler(): void {
    const { header, payload } = this.parserPacket;
    const offset = header.type === FLEX_COMMAND ? 1 : 0;
    const message = decodeCommand(payload.subarray(offset, header.length));
    if (message['cmd'] === '_error') this.redirect = readRedirect(message['info']);
  }

  override dataHandler(): void {
    // A server sends no media to a publisher.
  }
}

/**
 * Reads the redirect URL from `ex` in the information of a rejected connect, which Adobe Media Server and
 * compatible servers send.
 */
function readRedirect(info: unknown): string | null {
  const ex = getField(info, 'ex');
  const [code, redirect] = [getField(ex, 'code'), getField(ex, 'redirect')];
  return code === 302 && typeof redirect === 'string' ? redirect : null;
}

const getField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
