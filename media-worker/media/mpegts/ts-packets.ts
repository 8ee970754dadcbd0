export const PACKET_BYTES = 188;
const SYNC_BYTE = 0x47;
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

/**
 * Distances of packets: plain ones, ones behind a time stamp of four bytes (M2TS of camcorders and Blu-ray), and ones
 * before 16 bytes of error correction (DVB).
 */
const SPACINGS = [PACKET_BYTES, 192, 204] as const;
/** Number of following packets that confirm a distance other than the plain one. */
const CONFIRMING_PACKETS = 2;

/** Finds packets in a byte stream that arrives in pieces of any size, and resynchronizes after damaged bytes. */
export class TsPacketReader {
  readonly #onPacket: (packet: TsPacket) => void;
  #remaining: Buffer = NO_BYTES;
  #spacing: number = PACKET_BYTES;
  /** Number of bytes to the next packet that have not arrived. */
  #pendingBytes = 0;

  constructor(onPacket: (packet: TsPacket) => void) {
    this.#onPacket = onPacket;
  }

  push(chunk: Buffer): void {
    const bytes = this.#remaining.length === 0 ? chunk : Buffer.concat([this.#remaining, chunk]);
    let offset = Math.min(this.#pendingBytes, bytes.length);
    this.#pendingBytes -= offset;
    while (offset + PACKET_BYTES <= bytes.length) {
      const spacing = this.#spacingAt(bytes, offset);
      if (spacing === null) {
        const next = bytes.indexOf(SYNC_BYTE, offset + 1);
        offset = next === -1 ? bytes.length : next;
        continue;
      }
      this.#spacing = spacing;
      const packet = readTsPacket(bytes, offset);
      if (packet) this.#onPacket(packet);
      offset += spacing;
    }
    this.#pendingBytes += Math.max(0, offset - bytes.length);
    this.#remaining = offset < bytes.length ? bytes.subarray(offset) : NO_BYTES;
  }

  /** Drops an incomplete packet, because the bytes after it were lost. */
  reset(): void {
    this.#remaining = NO_BYTES;
    this.#pendingBytes = 0;
  }

  /**
   * The distance from the packet at this position to the next one; null if no packet starts here. The sync byte also occurs in
   * payloads, so the next packet must begin with it too.
   */
  #spacingAt(bytes: Buffer, offset: number): number | null {
    if (bytes[offset] !== SYNC_BYTE) return null;
    const next = bytes[offset + this.#spacing];
    if (next === undefined || next === SYNC_BYTE) return this.#spacing;
    const isSyncAfter = (bytesAfter: number) => bytes[offset + bytesAfter] === SYNC_BYTE;
    return (
      SPACINGS.find((spacing) =>
        Array.from({ length: CONFIRMING_PACKETS }, (_, index) => spacing * (index + 1)).every(isSyncAfter),
      ) ?? null
    );
  }
}

/** Reads the packet at a position; null for unusable packets: padding, scrambled or damaged ones. */
function readTsPacket(bytes: Buffer, offset: number): TsPacket | null {
  // Sync byte (8 bits), error indicator (1), unit start (1), priority (1), PID (13), scrambling (2), adaptation field (1),
  // payload (1), continuity counter (4).
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
  /** A loss since the last packet: one that the counter shows, or one that it can hide. */
  #loss: 'none' | 'shown' | 'hidden' = 'none';

  /** Whether the stream has lost bytes since the last packet of this PID. */
  get hasLoss(): boolean {
    return this.#loss !== 'none';
  }

  /**
   * To be called where the stream has lost bytes.
   * @param isHidden whether the counter can miss the loss, because it is long enough for all its values
   */
  markLoss(isHidden: boolean): void {
    if (this.#loss !== 'hidden') this.#loss = isHidden ? 'hidden' : 'shown';
  }

  /** Compares a packet with the previous one of its PID. */
  check({ counter, isDiscontinuity, payload }: TsPacket): Continuity {
    if (payload.length === 0) return 'follows'; // packets without payload do not advance the counter
    const last = this.#lastCounter;
    const loss = this.#loss;
    this.#lastCounter = counter;
    this.#loss = 'none';
    if (loss === 'hidden') return 'lost';
    if (last === null || counter === ((last + 1) & 0x0f)) return 'follows';
    // After 15 lost packets, the counter has the same value as before.
    if (counter === last && !isDiscontinuity && loss === 'none') return 'repeated';
    return 'lost';
  }
}
