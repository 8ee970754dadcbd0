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
  const firstByte = packet[0] ?? 0;
  if (packet.length < HEADER_BYTES || firstByte >> 6 !== 2) return null;
  let payloadStart = HEADER_BYTES + (firstByte & 0x0f) * 4;
  if ((firstByte & 0x10) !== 0) {
    if (packet.length < payloadStart + 4) return null;
    payloadStart += 4 + packet.readUInt16BE(payloadStart + 2) * 4;
  }
  const padding = (firstByte & 0x20) === 0 ? 0 : (packet[packet.length - 1] ?? 0);
  const end = packet.length - padding;
  if (end < payloadStart || ((firstByte & 0x20) !== 0 && padding === 0)) return null;
  const secondByte = packet.readUInt8(1);
  return {
    marker: (secondByte & 0x80) !== 0,
    payloadType: secondByte & 0x7f,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    payload: packet.subarray(payloadStart, end),
  };
}

const ONE_BYTE_HEADERS = 0xbede;
const TWO_BYTE_HEADERS = 0x100;
/** Id that ends the extensions with one-byte headers. */
const LAST_ONE_BYTE_ID = 15;

/**
 * Reads one header extension of an RTP packet (RFC 8285 §4).
 * @param extensionId id of the extension in the session description (`a=extmap`)
 * @returns null if the packet does not have it, or is malformed
 */
export function readHeaderExtension(packet: Buffer, extensionId: number): Buffer | null {
  const firstByte = packet[0] ?? 0;
  const extensionStart = HEADER_BYTES + (firstByte & 0x0f) * 4;
  if ((firstByte & 0x10) === 0 || packet.length < extensionStart + 4) return null;
  const profile = packet.readUInt16BE(extensionStart);
  const isOneByte = profile === ONE_BYTE_HEADERS;
  if (!isOneByte && profile >> 4 !== TWO_BYTE_HEADERS) return null;
  const end = Math.min(packet.length, extensionStart + 4 + packet.readUInt16BE(extensionStart + 2) * 4);
  for (let offset = extensionStart + 4; offset < end;) {
    const headerByte = packet.readUInt8(offset);
    offset += 1;
    // A zero is padding.
    if (headerByte === 0) continue;
    const elementId = isOneByte ? headerByte >> 4 : headerByte;
    if (isOneByte && elementId === LAST_ONE_BYTE_ID) return null;
    const length = isOneByte ? (headerByte & 0x0f) + 1 : (packet[offset++] ?? 0);
    if (offset + length > end) return null;
    if (elementId === extensionId) return packet.subarray(offset, offset + length);
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
  let previousValue: number | null = null;
  return (value) => {
    if (previousValue === null) return (previousValue = value);
    const ahead = (((value - previousValue) % wrap) + wrap) % wrap;
    return (previousValue += ahead < wrap / 2 ? ahead : ahead - wrap);
  };
}
