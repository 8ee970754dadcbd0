/** RTP packets (RFC 3550 §5.1). */
export interface RtpPacket {
  /** For video: the last packet of its frame. */
  readonly marker: boolean;
  readonly payloadType: number;
  /** 16 bits. */
  readonly sequence: number;
  /** 32 bits. */
  readonly timestamp: number;
  readonly ssrc: number;
  /** A view. */
  readonly payload: Buffer;
}

const HEADER_BYTES = 12;
/** Payload types 64 to 95 are left to RTCP where both share a port (RFC 5761 §4). */
const FIRST_RTCP = 192;
const LAST_RTCP = 223;

/** Whether a packet of a shared port is RTCP. */
export function isRtcp(packet: Buffer): boolean {
  const type = packet[1] ?? 0;
  return packet.length >= 8 && type >= FIRST_RTCP && type <= LAST_RTCP;
}

/** Null for what is no RTP packet. */
export function readRtp(packet: Buffer): RtpPacket | null {
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

/** Continues a counter of `bits` past its wrap: each value is taken as the nearest one to its predecessor. */
export function createUnwrapper(bits: 16 | 32): (value: number) => number {
  const wrap = 2 ** bits;
  let last: number | null = null;
  return (value) => {
    if (last === null) return (last = value);
    const ahead = (((value - last) % wrap) + wrap) % wrap;
    return (last += ahead < wrap / 2 ? ahead : ahead - wrap);
  };
}
