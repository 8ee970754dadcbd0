/** Parsing and writing of RTCP for a media receiver (RFC 3550 §6, RFC 4585 §6). */

/** A sender report: one moment on the sender's wall clock and media clock. */
export interface SenderReport {
  readonly ssrc: number;
  /** Wall clock of the sender in milliseconds since 1900, with fractions. */
  readonly ntpMs: number;
  /** The middle 32 bits of the NTP timestamp, which a receiver report repeats. */
  readonly compactNtp: number;
  /** RTP timestamp of the same moment. */
  readonly rtpTime: number;
}

/** Reception report about one sender. */
export interface ReportBlock {
  readonly ssrc: number;
  /** Ratio of packets lost since the last report, 0 to 1. */
  readonly lostRatio: number;
  readonly lostCount: number;
  /** Extended highest sequence number: the upper 16 bits count wraps. */
  readonly highestSequence: number;
  /** Interarrival jitter in ticks of the media clock. */
  readonly jitterTicks: number;
  /** The last sender report (`compactNtp`) with its age; null before the first one. */
  readonly lastSenderReport: { readonly compactNtp: number; readonly ageMs: number } | null;
}

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const BYE = 203;
const TRANSPORT_FEEDBACK = 205;
const PAYLOAD_FEEDBACK = 206;
/** Formats of transport feedback and of payload-specific feedback (RFC 4585 §6.2.1, §6.3.1). */
const NACK = 1;
const PLI = 1;
/** Largest value of the signed 24-bit number of lost packets. */
const MAX_LOST = 0x7f_ffff;
/** Number of sequence numbers after the first one that the bitmask of a NACK entry covers. */
const MASK_BITS = 16;

/**
 * Parses the sender reports and BYE packets of a compound packet, up to the first malformed packet. `endedSsrcs` contains the
 * SSRCs in BYE packets.
 */
export function parseRtcp(packet: Buffer): {
  readonly reports: SenderReport[];
  readonly endedSsrcs: readonly number[];
} {
  const reports: SenderReport[] = [];
  const endedSsrcs: number[] = [];
  for (let offset = 0; offset + 8 <= packet.length;) {
    const end = offset + 4 + packet.readUInt16BE(offset + 2) * 4;
    if (packet.readUInt8(offset) >> 6 !== 2 || end > packet.length) break;
    const type = packet.readUInt8(offset + 1);
    if (type === SENDER_REPORT && end - offset >= 28) reports.push(parseSenderReport(packet, offset));
    const count = packet.readUInt8(offset) & 0x1f;
    // A BYE may have a reason after its SSRCs (RFC 3550 §6.6).
    for (let index = 0; type === BYE && index < count && offset + 8 + index * 4 <= end; index++)
      endedSsrcs.push(packet.readUInt32BE(offset + 4 + index * 4));
    offset = end;
  }
  return { reports, endedSsrcs };
}

function parseSenderReport(packet: Buffer, offset: number): SenderReport {
  const seconds = packet.readUInt32BE(offset + 8);
  const fraction = packet.readUInt32BE(offset + 12);
  return {
    ssrc: packet.readUInt32BE(offset + 4),
    ntpMs: seconds * 1_000 + (fraction / 2 ** 32) * 1_000,
    compactNtp: (((seconds & 0xffff) << 16) | (fraction >>> 16)) >>> 0,
    rtpTime: packet.readUInt32BE(offset + 16),
  };
}

/** Creates a receiver report with one block. Every compound packet begins with one. */
export function createReceiverReport(ownSsrc: number, block: ReportBlock): Buffer {
  const packet = createPacket(RECEIVER_REPORT, 1, 32);
  packet.writeUInt32BE(ownSsrc, 4);
  packet.writeUInt32BE(block.ssrc, 8);
  packet.writeUInt8(Math.min(255, Math.max(0, Math.floor(block.lostRatio * 256))), 12);
  packet.writeUIntBE(Math.min(MAX_LOST, Math.max(0, block.lostCount)), 13, 3);
  packet.writeUInt32BE(block.highestSequence >>> 0, 16);
  packet.writeUInt32BE(Math.round(block.jitterTicks) >>> 0, 20);
  packet.writeUInt32BE(block.lastSenderReport?.compactNtp ?? 0, 24);
  // The age is in units of 1/65,536 s.
  packet.writeUInt32BE(Math.round(((block.lastSenderReport?.ageMs ?? 0) * 65_536) / 1_000) >>> 0, 28);
  return packet;
}

/**
 * Creates a NACK, which requests retransmission.
 * @param sequences 16-bit sequence numbers in rising order
 */
export function createNack(ownSsrc: number, mediaSsrc: number, sequences: readonly number[]): Buffer {
  const entries: { first: number; mask: number }[] = [];
  for (const sequence of sequences) {
    const entry = entries.at(-1);
    const ahead = entry ? (sequence - entry.first) & 0xffff : 0;
    if (entry && ahead >= 1 && ahead <= MASK_BITS) entry.mask |= 1 << (ahead - 1);
    else entries.push({ first: sequence & 0xffff, mask: 0 });
  }
  const packet = createPacket(TRANSPORT_FEEDBACK, NACK, 12 + entries.length * 4);
  packet.writeUInt32BE(ownSsrc, 4);
  packet.writeUInt32BE(mediaSsrc, 8);
  for (const [index, { first, mask }] of entries.entries()) {
    packet.writeUInt16BE(first, 12 + index * 4);
    packet.writeUInt16BE(mask, 14 + index * 4);
  }
  return packet;
}

/** Creates a PLI, which requests a keyframe. */
export function createPli(ownSsrc: number, mediaSsrc: number): Buffer {
  const packet = createPacket(PAYLOAD_FEEDBACK, PLI, 12);
  packet.writeUInt32BE(ownSsrc, 4);
  packet.writeUInt32BE(mediaSsrc, 8);
  return packet;
}

/**
 * Creates a packet with only its header.
 * @param countOrFormat number of report blocks, or the format of feedback
 * @param bytes size of the packet, a multiple of four
 */
function createPacket(type: number, countOrFormat: number, bytes: number): Buffer {
  const packet = Buffer.alloc(bytes);
  packet.writeUInt8(0x80 | countOrFormat, 0);
  packet.writeUInt8(type, 1);
  packet.writeUInt16BE(bytes / 4 - 1, 2);
  return packet;
}
