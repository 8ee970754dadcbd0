import { rtpPacket, senderReport } from './rtcp';
import { timestampOf } from './video-sender';

interface AudioSenderOptions {
  /** Sends a complete RTP or RTCP packet. */
  readonly send: (packet: Buffer) => void;
  readonly ssrc: number;
  readonly payloadType: number;
  readonly firstTimestamp: number;
  readonly firstSequence: number;
  /**
   * Milliseconds to add to a media time to get the monotonic time at which its frame was sent; null before the first frame.
   */
  readonly videoOffsetMs: () => number | null;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Returns Unix milliseconds. */
  readonly wallNow: () => number;
}

/** RTP timestamps of Opus always use 48 kHz (RFC 7587 §4.1). */
const TICKS_PER_MS = 48;
const REPORT_EVERY_MS = 1_000;

/**
 * Sends the audio to one viewer. Its sender reports contain the time at which the video frame of the same media time was
 * sent, not the audio packet: only the audio is delayed by encoding, and players would keep that delay.
 */
export class AudioSender {
  readonly #options: AudioSenderOptions;
  #sequence: number;
  #packets = 0;
  #bytes = 0;
  #reportedAt = -Infinity;

  constructor(options: AudioSenderOptions) {
    this.#options = options;
    this.#sequence = options.firstSequence;
  }

  /** @param ms presentation time on the timeline of the stream */
  push(payload: Buffer, ms: number): void {
    const { send, ssrc, payloadType, firstTimestamp, now } = this.#options;
    const timestamp = timestampOf(firstTimestamp, Math.round(ms * TICKS_PER_MS));
    const marker = this.#packets === 0;
    send(rtpPacket({ payloadType, sequence: this.#sequence, timestamp, ssrc, marker }, payload));
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#packets += 1;
    this.#bytes += payload.length;
    if (now() - this.#reportedAt >= REPORT_EVERY_MS) this.#report(timestamp, ms);
  }

  #report(timestamp: number, ms: number): void {
    const { send, ssrc, videoOffsetMs, now, wallNow } = this.#options;
    this.#reportedAt = now();
    const sentAt = ms + (videoOffsetMs() ?? now() - ms);
    const wallMs = wallNow() - (now() - sentAt);
    send(senderReport({ ssrc, wallMs, timestamp, packets: this.#packets, bytes: this.#bytes }));
  }
}
