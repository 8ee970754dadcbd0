import { decodeCommand, Rtmp } from '@/media-worker/media/packets/rtmp-library';

/** S0, S1 and S2 (RTMP specification 1.0, section 5.2). */
export const handshakeBytes = 1 + 2 * 1_536;
const HANDSHAKE_DONE = 3;
const SET_CHUNK_SIZE = 1;
const ABORT = 2;
const ACKNOWLEDGEMENT = 3;
const FLEX_COMMAND = 17;
const MAX_MESSAGE_BYTES = 64 * 1_024;
const MAX_CHUNK_STREAMS = 32;

class Unreadable extends Error {}

/**
 * Reads the answers of an RTMP server during a publish: acknowledgements and redirects. It must receive all bytes of the
 * server. A malformed or oversized answer stops the reading; after that, only ffmpeg evaluates the server.
 */
export class TargetAnswers {
  readonly #reader = new AnswerReader();
  #skipped = 0;
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
    const handshake = Math.min(chunk.length, handshakeBytes - this.#skipped);
    this.#skipped += handshake;
    if (!this.#isReadable || handshake === chunk.length) return;
    try {
      if (this.#reader.parserData(chunk.subarray(handshake)) !== null) this.#isReadable = false;
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
    if (this.parserPacket.header.length > MAX_MESSAGE_BYTES) throw new Unreadable('message too long');
    if (this.inPackets.size > MAX_CHUNK_STREAMS) throw new Unreadable('too many chunk streams');
    super.packetAlloc();
  }

  override controlHandler(): void {
    const { header, payload } = this.parserPacket;
    if (header.length < 4) throw new Unreadable('control message too short');
    const value = payload.readUInt32BE();
    if (header.type === ACKNOWLEDGEMENT) this.acknowledged = value;
    if (header.type === SET_CHUNK_SIZE) {
      if (value < 1 || value > 2 ** 24) throw new Unreadable('chunk size');
      this.inChunkSize = value;
    }
    const abortedPacket = header.type === ABORT ? this.inPackets.get(value) : undefined;
    if (abortedPacket) abortedPacket.bytes = 0;
  }

  override invokeHandler(): void {
    const { header, payload } = this.parserPacket;
    const start = header.type === FLEX_COMMAND ? 1 : 0;
    const message = decodeCommand(payload.subarray(start, header.length));
    if (message['cmd'] === '_error') this.redirect = redirectIn(message['info']);
  }

  override dataHandler(): void {
    // A server sends no media to a publisher.
  }
}

/** `ex` in the information of a rejected connect, as Adobe Media Server and compatible servers send it. */
function redirectIn(info: unknown): string | null {
  const ex = fieldOf(info, 'ex');
  const [code, redirect] = [fieldOf(ex, 'code'), fieldOf(ex, 'redirect')];
  return code === 302 && typeof redirect === 'string' ? redirect : null;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
