/** Feedback of a viewer about the received media (RFC 3550 §6.4, RFC 4585 §6.3). */
export interface ViewerFeedback {
  /** Whether the viewer requests a keyframe (PLI or FIR), without which it cannot continue to decode. */
  readonly needsKeyframe: boolean;
  /** The highest ratio of packets lost since the previous report, 0 to 1; null without a report. */
  readonly lostRatio: number | null;
  /** Extended sequence number of the newest packet that arrived; null without a report. */
  readonly highestSequence: number | null;
}

/** RTCP packet types, and formats of payload-specific feedback (RFC 3550 §12.1, RFC 4585 §6.3, RFC 5104 §4.3.1). */
const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const PAYLOAD_FEEDBACK = 206;
const PICTURE_LOSS_INDICATION = 1;
const FULL_INTRA_REQUEST = 4;
const HEADER_BYTES = 4;
/** Size of one reception report block. */
const REPORT_BYTES = 24;

/** Parses the feedback in a compound packet. Of a truncated packet, the complete fields are used. */
export function parseFeedback(compound: Buffer): ViewerFeedback {
  let needsKeyframe = false;
  let lostRatio: number | null = null;
  let highestSequence: number | null = null;
  for (let offset = 0; offset + HEADER_BYTES <= compound.length;) {
    // The number of reports, or the format of feedback.
    const countOrFormat = compound.readUInt8(offset) & 0x1f;
    const type = compound.readUInt8(offset + 1);
    const end = offset + 4 * (compound.readUInt16BE(offset + 2) + 1);
    const packet = compound.subarray(offset, Math.min(end, compound.length));
    if (type === PAYLOAD_FEEDBACK)
      needsKeyframe ||= countOrFormat === PICTURE_LOSS_INDICATION || countOrFormat === FULL_INTRA_REQUEST;
    // Report blocks follow the SSRC of a receiver, or the sender info.
    const firstReportOffset = type === RECEIVER_REPORT ? 8 : type === SENDER_REPORT ? 28 : null;
    for (let index = 0; firstReportOffset !== null && index < countOrFormat; index++) {
      const reportOffset = firstReportOffset + index * REPORT_BYTES;
      const report = packet.subarray(reportOffset, reportOffset + REPORT_BYTES);
      const lostIn256ths = report[4];
      if (lostIn256ths !== undefined) lostRatio = Math.max(lostRatio ?? 0, lostIn256ths / 256);
      if (report.length >= 12) highestSequence = Math.max(highestSequence ?? 0, report.readUInt32BE(8));
    }
    offset = end;
  }
  return { needsKeyframe, lostRatio, highestSequence };
}

/** Values of a sender report that this side sends. */
export interface SenderReportValues {
  readonly ssrc: number;
  /** Wall clock of the report in Unix milliseconds. */
  readonly wallClockMs: number;
  /** RTP timestamp of the same moment. */
  readonly timestamp: number;
  readonly packets: number;
  readonly bytes: number;
}

/** Seconds from 1900, where NTP timestamps start, to 1970. */
const NTP_EPOCH_SECONDS = 2_208_988_800;

/**
 * Creates a sender report without reception blocks (RFC 3550 §6.4.1). Receivers use it to synchronize audio and
 * video.
 */
export function createSenderReport({
  ssrc,
  wallClockMs,
  timestamp,
  packets,
  bytes,
}: SenderReportValues): Buffer {
  const report = Buffer.alloc(28);
  report.writeUInt8(0x80, 0);
  report.writeUInt8(SENDER_REPORT, 1);
  // Length in 32-bit words, minus one.
  report.writeUInt16BE(6, 2);
  report.writeUInt32BE(ssrc >>> 0, 4);
  const seconds = Math.floor(wallClockMs / 1_000);
  report.writeUInt32BE((seconds + NTP_EPOCH_SECONDS) % 2 ** 32, 8);
  report.writeUInt32BE(Math.floor(((wallClockMs - seconds * 1_000) / 1_000) * 2 ** 32), 12);
  report.writeUInt32BE(timestamp >>> 0, 16);
  report.writeUInt32BE(packets >>> 0, 20);
  report.writeUInt32BE(bytes >>> 0, 24);
  return report;
}

interface RtpHeader {
  readonly payloadType: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  readonly marker: boolean;
}

/** Creates an RTP packet without header extensions (RFC 3550 §5.1). */
export function createRtpPacket(
  { payloadType, sequence, timestamp, ssrc, marker }: RtpHeader,
  payload: Buffer,
): Buffer {
  const packet = Buffer.allocUnsafe(12 + payload.length);
  packet.writeUInt8(0x80, 0);
  packet.writeUInt8((marker ? 0x80 : 0) | payloadType, 1);
  packet.writeUInt16BE(sequence & 0xffff, 2);
  packet.writeUInt32BE(timestamp >>> 0, 4);
  packet.writeUInt32BE(ssrc >>> 0, 8);
  payload.copy(packet, 12);
  return packet;
}
