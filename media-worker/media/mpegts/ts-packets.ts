const PACKET_BYTES = 188;
const SYNC = 0x47;
const NULL_PID = 0x1fff;
const NO_BYTES = Buffer.alloc(0);

/** One MPEG-TS packet (ISO/IEC 13818-1 §2.4.3.2). */
export interface TsPacket {
  readonly pid: number;
  /** Whether a section or PES packet starts in this packet. */
  readonly isStart: boolean;
  /** Continuity counter: counts the packets of one PID that have payload, modulo 16. */
  readonly counter: number;
  /** Whether the counter may differ from the expected one. */
  readonly isDiscontinuity: boolean;
  /** A view of the pushed bytes; empty if there is only an adaptation field. */
  readonly payload: Buffer;
}

/** Finds packets in a byte stream that arrives in pieces of any size, and resynchronizes after damaged bytes. */
export class TsPacketReader {
  readonly #onPacket: (packet: TsPacket) => void;
  #remaining: Buffer = NO_BYTES;

  constructor(onPacket: (packet: TsPacket) => void) {
    this.#onPacket = onPacket;
  }

  push(chunk: Buffer): void {
    const bytes = this.#remaining.length === 0 ? chunk : Buffer.concat([this.#remaining, chunk]);
    let offset = 0;
    while (offset + PACKET_BYTES <= bytes.length) {
      if (!isPacketAt(bytes, offset)) {
        const next = bytes.indexOf(SYNC, offset + 1);
        offset = next === -1 ? bytes.length : next;
        continue;
      }
      const packet = readTsPacket(bytes, offset);
      if (packet) this.#onPacket(packet);
      offset += PACKET_BYTES;
    }
    this.#remaining = offset < bytes.length ? bytes.subarray(offset) : NO_BYTES;
  }
}

/** Whether a packet starts here. The sync byte also occurs in payloads, so the next packet must begin with it too. */
function isPacketAt(bytes: Buffer, offset: number): boolean {
  const next = bytes[offset + PACKET_BYTES];
  return bytes[offset] === SYNC && (next === undefined || next === SYNC);
}

/** Reads the packet at a position; null for unusable packets: padding, scrambled or damaged ones. */
function readTsPacket(bytes: Buffer, offset: number): TsPacket | null {
  const head = bytes.readUInt32BE(offset);
  const pid = (head >>> 8) & 0x1fff;
  const hasError = (head & 0x80_00_00) !== 0;
  const isScrambled = (head & 0xc0) !== 0;
  if (hasError || isScrambled || pid === NULL_PID) return null;
  const hasPayload = (head & 0x10) !== 0;
  const hasAdaptation = (head & 0x20) !== 0;
  const adaptationBytes = hasAdaptation ? 1 + bytes.readUInt8(offset + 4) : 0;
  const flags = adaptationBytes > 1 ? bytes.readUInt8(offset + 5) : 0;
  const end = offset + PACKET_BYTES;
  return {
    pid,
    isStart: (head & 0x40_00_00) !== 0,
    counter: head & 0x0f,
    isDiscontinuity: (flags & 0x80) !== 0,
    payload: hasPayload ? bytes.subarray(Math.min(offset + 4 + adaptationBytes, end), end) : NO_BYTES,
  };
}

/** Relation of a packet's counter to the previous packet of its PID. */
export type Continuity = 'follows' | 'repeated' | 'lost';

/** Checks the continuity counter of one PID (ISO/IEC 13818-1 §2.4.3.3). */
export class ContinuityCheck {
  #lastCounter: number | null = null;

  check({ counter, isDiscontinuity, payload }: TsPacket): Continuity {
    if (payload.length === 0) return 'follows'; // packets without payload do not advance the counter
    const last = this.#lastCounter;
    this.#lastCounter = counter;
    if (last === null || counter === ((last + 1) & 0x0f)) return 'follows';
    if (counter === last && !isDiscontinuity) return 'repeated';
    return 'lost';
  }
}
