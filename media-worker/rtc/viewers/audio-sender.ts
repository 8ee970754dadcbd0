import { createRtpPacket, createSenderReport } from './rtcp';
import { toVideoRtpTimestamp, toRtpTimestamp } from './video-sender';

/** Values of the video track for its sender reports. */
export interface ReportedVideo {
  readonly ssrc: number;
  readonly timestampOffset: number;
  readonly packets: number;
  readonly bytes: number;
}

interface AudioSenderOptions {
  /** Sends a complete RTP or RTCP packet. */
  readonly send: (packet: Buffer) => void;
  readonly ssrc: number;
  readonly payloadType: number;
  readonly timestampOffset: number;
  readonly firstSequence: number;
  /**
   * Returns the milliseconds to add to a media time to get the monotonic time at which its video frame was sent; null without
   * video and before the first frame.
   */
  readonly videoSendTimeOffsetMs: () => number | null;
  /** Returns the values for the sender reports of the video; null if there is no video. */
  readonly video: () => ReportedVideo | null;
  /** Returns monotonic milliseconds. */
  readonly monotonicNow: () => number;
  /** Returns Unix milliseconds. */
  readonly wallClockNow: () => number;
}

/** RTP timestamps of Opus always use 48 kHz (RFC 7587 §4.1). */
const TICKS_PER_MS = 48;
const REPORT_INTERVAL_MS = 1_000;

/**
 * Sends the audio to one viewer, and the sender reports of both tracks. Both reports contain the time at which the
 * video frame of the same media time was sent: only the audio is delayed by encoding, and players would keep that
 * delay. Both reports are sent together, because on a busy machine, reports of different moments would differ by
 * the delay of their frames.
 */
export class AudioSender {
  readonly #options: AudioSenderOptions;
  #nextSequence: number;
  #packetCount = 0;
  #byteCount = 0;
  #reportedAtMs = -Infinity;

  constructor(options: AudioSenderOptions) {
    this.#options = options;
    this.#nextSequence = options.firstSequence;
  }

  /** @param ptsMs presentation time on the timeline of the stream */
  push(payload: Buffer, ptsMs: number): void {
    const { send, ssrc, payloadType, timestampOffset, monotonicNow } = this.#options;
    const timestamp = toRtpTimestamp(timestampOffset, Math.round(ptsMs * TICKS_PER_MS));
    const marker = this.#packetCount === 0;
    send(createRtpPacket({ payloadType, sequence: this.#nextSequence, timestamp, ssrc, marker }, payload));
    this.#nextSequence = (this.#nextSequence + 1) & 0xffff;
    this.#packetCount += 1;
    this.#byteCount += payload.length;
    if (monotonicNow() - this.#reportedAtMs >= REPORT_INTERVAL_MS) this.#report(timestamp, ptsMs);
  }

  #report(timestamp: number, ptsMs: number): void {
    const { send, ssrc, video, videoSendTimeOffsetMs, monotonicNow, wallClockNow } = this.#options;
    this.#reportedAtMs = monotonicNow();
    const frameSentAtMs = ptsMs + (videoSendTimeOffsetMs() ?? monotonicNow() - ptsMs);
    const wallClockMs = wallClockNow() - (monotonicNow() - frameSentAtMs);
    send(
      createSenderReport({
        ssrc,
        wallClockMs,
        timestamp,
        packets: this.#packetCount,
        bytes: this.#byteCount,
      }),
    );
    const videoReport = video();
    if (!videoReport) return;
    const { timestampOffset, ...counts } = videoReport;
    send(
      createSenderReport({ ...counts, wallClockMs, timestamp: toVideoRtpTimestamp(timestampOffset, ptsMs) }),
    );
  }
}
