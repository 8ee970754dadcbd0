import { rtpPacket, senderReport } from './rtcp';
import { timestampOf } from './video-sender';

interface SoundSenderOptions {
  /** Takes whole RTP and RTCP packets. */
  readonly send: (packet: Buffer) => void;
  readonly ssrc: number;
  readonly payloadType: number;
  readonly firstTimestamp: number;
  readonly firstSequence: number;
  /** By the monotonic clock, milliseconds to add to the time of the media to get when its picture was sent; null: no picture was. */
  readonly pictureOffsetMs: () => number | null;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Milliseconds since 1970. */
  readonly wallNow: () => number;
}

/** Opus always counts at 48 kHz (RFC 7587 section 4.1). */
const TICKS_PER_MS = 48;
const REPORT_EVERY_MS = 1_000;

/**
 * The sound of one viewer. Its sender reports say when the picture of the same moment was sent, not when the sound was: encoding
 * delays the sound alone, and players would keep that distance.
 */
export class SoundSender {
  readonly #options: SoundSenderOptions;
  #sequence: number;
  #packets = 0;
  #bytes = 0;
  #reportedAt = -Infinity;

  constructor(options: SoundSenderOptions) {
    this.#options = options;
    this.#sequence = options.firstSequence;
  }

  /** @param ms when it is heard, on the time line of the stream */
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
    const { send, ssrc, pictureOffsetMs, now, wallNow } = this.#options;
    this.#reportedAt = now();
    const sentAt = ms + (pictureOffsetMs() ?? now() - ms);
    const wallMs = wallNow() - (now() - sentAt);
    send(senderReport({ ssrc, wallMs, timestamp, packets: this.#packets, bytes: this.#bytes }));
  }
}
