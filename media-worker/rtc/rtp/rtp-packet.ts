/** An RTP packet (RFC 3550 §5.1). */
export interface RtpPacket {
  /** Marker bit; for video, set in the last packet of a frame. */
  readonly marker: boolean;
  readonly payloadType: number;
  /** Sequence number, 16 bits. */
  readonly sequence: number;
  /** Timestamp in ticks of the media clock, 32 bits. */
  readonly timestamp: number;
  readonly ssrc: number;
  /** A view of the packet's buffer. */
  readonly payload: Buffer;
}

const HEADER_BYTES = 12;
/** Range of RTCP packet types. RTP avoids payload types 64 to 95 on a shared port (RFC 5761 §4). */
const FIRST_RTCP = 192;
const LAST_RTCP = 223;

/** Whether a packet on a port that RTP and RTCP share is RTCP. */
export function isRtcp(packet: Buffer): boolean {
  const type = packet[1] ?? 0;
  return packet.length >= 8 && type >= FIRST_RTCP && type <= LAST_RTCP;
}

/** Parses a packet; null if it is not a valid RTP packet. */
export function parseRtp(packet: Buffer): RtpPacket | null {
  // The first byte has the version (2 bits), flags for padding (0x20) and a header extension (0x10), and the number of CSRCs.
  const first = packet[0] ?? 0;
  if (packet.length < HEADER_BYTES || first >> 6 !== 2) return null;
  let start = HEADER_BYTES + (first & 0x0f) * 4;
  if ((first & 0x10) !== 0) {
    if (packet.length < start + 4) return null;
    start += 4 + packet.readUInt16BE(start + 2) * 4;
  }
  const padding = (first & 0x20) === 0 ? 0 : (packet[packet.length - 1] ?? 0);
  const end = packet.length - padding;
  if (end < start || ((first & 0x20) !== 0 && padding === 0)) return null;
  const second = packet.readUInt8(1);
  return {
    marker: (second & 0x80) !== 0,
    payloadType: second & 0x7f,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    payload: packet.subarray(start, end),
  };
}

const ONE_BYTE_HEADERS = 0xbede;
const TWO_BYTE_HEADERS = 0x100;
/** Number that ends the extensions with one-byte headers. */
const LAST_ONE_BYTE_ID = 15;

/**
 * Reads one header extension of an RTP packet (RFC 8285 §4).
 * @param id the number of the extension in the session description
 * @returns null if the packet does not have it, or is malformed
 */
export function readHeaderExtension(packet: Buffer, id: number): Buffer | null {
  const first = packet[0] ?? 0;
  const start = HEADER_BYTES + (first & 0x0f) * 4;
  if ((first & 0x10) === 0 || packet.length < start + 4) return null;
  const profile = packet.readUInt16BE(start);
  const isOneByte = profile === ONE_BYTE_HEADERS;
  if (!isOneByte && profile >> 4 !== TWO_BYTE_HEADERS) return null;
  const end = Math.min(packet.length, start + 4 + packet.readUInt16BE(start + 2) * 4);
  for (let offset = start + 4; offset < end;) {
    const head = packet.readUInt8(offset);
    offset += 1;
    // A zero is padding.
    if (head === 0) continue;
    const elementId = isOneByte ? head >> 4 : head;
    if (isOneByte && elementId === LAST_ONE_BYTE_ID) return null;
    const length = isOneByte ? (head & 0x0f) + 1 : (packet[offset++] ?? 0);
    if (offset + length > end) return null;
    if (elementId === id) return packet.subarray(offset, offset + length);
    offset += length;
  }
  return null;
}

/**
 * Creates a function that extends a counter of `bits` bits beyond its wrap: each value becomes the one nearest to its
 * predecessor.
 */
export function createUnwrapper(bits: 16 | 32): (value: number) => number {
  const wrap = 2 ** bits;
  let last: number | null = null;
  return (value) => {
    if (last === null) return (last = value);
    const ahead = (((value - last) % wrap) + wrap) % wrap;
    return (last += ahead < wrap / 2 ? ahead : ahead - wrap);
  };
}
