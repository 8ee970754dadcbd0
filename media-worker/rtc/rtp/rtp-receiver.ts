import { type JitterLimits, JitterBuffer, defaultJitterLimits } from './jitter-buffer';
import { nack, pictureLossIndication, readRtcp, receiverReport, type SenderReport } from './rtcp';
import { createUnwrapper, isRtcp, readRtp, type RtpPacket } from './rtp-packet';

export interface RtpReceiverOptions {
  readonly clockRate: number;
  /** Packets of other types are not read. */
  readonly payloadType: number;
  /** SSRC of this side. */
  readonly own: number;
  readonly send: (packet: Buffer) => void;
  readonly limits?: JitterLimits;
  /** The next packet, in the order of the sender. @param now monotonic milliseconds of its arrival, or of the give-up */
  readonly onPacket: (packet: RtpPacket, now: number) => void;
  /** Something is missing in front of the next packet. */
  readonly onGap: (now: number) => void;
  readonly onSenderReport: (report: SenderReport) => void;
  /** The sender says that it ends. */
  readonly onBye: () => void;
}

const REPORT_MS = 1_000;
/** Another sender of this track is followed when the one before has been silent for this long. */
const SILENT_MS = 1_000;

/** Receives one RTP stream: in order, with what is missing asked for again, and with reports to its sender. */
export class RtpReceiver {
  readonly #options: RtpReceiverOptions;
  #buffer: JitterBuffer;
  #ssrc: number | null = null;
  #heardAt = -Infinity;
  #reportedAt = -Infinity;
  #lastReport: { readonly compactNtp: number; readonly at: number } | null = null;
  #unwrap = createUnwrapper(32);
  #transit: number | null = null;
  #jitter = 0;
  #now = 0;

  constructor(options: RtpReceiverOptions) {
    this.#options = options;
    this.#buffer = this.#openBuffer();
  }

  /** Of its media, by the clock of `receive`; -Infinity before the first packet. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** Takes an RTP or RTCP packet; what cannot be read is left out. */
  receive(packet: Buffer, now: number): void {
    this.#now = now;
    if (isRtcp(packet)) this.#control(packet, now);
    else {
      const media = readRtp(packet);
      if (media?.payloadType === this.#options.payloadType && this.#follows(media.ssrc, now))
        this.#media(media, now);
    }
  }

  /** What is due now; called every few milliseconds. */
  tick(now: number): void {
    this.#now = now;
    if (this.#ssrc === null) return;
    const missing = this.#buffer.tick(now);
    if (missing.length > 0) this.#feedback(nack(this.#options.own, this.#ssrc, missing), now);
    else if (now - this.#reportedAt >= REPORT_MS) this.#options.send(this.#report(now));
  }

  requestKeyframe(now: number): void {
    if (this.#ssrc !== null) this.#feedback(pictureLossIndication(this.#options.own, this.#ssrc), now);
  }

  #openBuffer(): JitterBuffer {
    const events = {
      onPacket: (packet: RtpPacket) => this.#options.onPacket(packet, this.#now),
      onGap: () => this.#options.onGap(this.#now),
    };
    return new JitterBuffer(events, this.#options.limits ?? defaultJitterLimits);
  }

  #follows(ssrc: number, now: number): boolean {
    if (this.#ssrc === ssrc) return true;
    if (this.#ssrc !== null && now - this.#heardAt < SILENT_MS) return false;
    const isFirst = this.#ssrc === null;
    this.#ssrc = ssrc;
    this.#buffer = this.#openBuffer();
    this.#lastReport = null;
    this.#transit = null;
    this.#jitter = 0;
    this.#unwrap = createUnwrapper(32);
    if (!isFirst) this.#options.onGap(now);
    return true;
  }

  #media(packet: RtpPacket, now: number): void {
    this.#heardAt = now;
    this.#measureJitter(packet, now);
    this.#buffer.push(packet, now);
  }

  /** RFC 3550 §6.4.1. */
  #measureJitter({ timestamp }: RtpPacket, now: number): void {
    const transit = (now * this.#options.clockRate) / 1_000 - this.#unwrap(timestamp);
    if (this.#transit !== null) this.#jitter += (Math.abs(transit - this.#transit) - this.#jitter) / 16;
    this.#transit = transit;
  }

  #control(packet: Buffer, now: number): void {
    const { reports, bye } = readRtcp(packet);
    for (const report of reports) {
      if (report.ssrc !== this.#ssrc) continue;
      this.#lastReport = { compactNtp: report.compactNtp, at: now };
      this.#options.onSenderReport(report);
    }
    if (this.#ssrc !== null && bye.includes(this.#ssrc)) this.#options.onBye();
  }

  #feedback(message: Buffer, now: number): void {
    this.#options.send(Buffer.concat([this.#report(now), message]));
  }

  #report(now: number): Buffer {
    this.#reportedAt = now;
    const { compactNtp, at } = this.#lastReport ?? { compactNtp: 0, at: now };
    return receiverReport(this.#options.own, {
      ssrc: this.#ssrc ?? 0,
      lostRatio: this.#buffer.takeLostRatio(),
      lost: this.#buffer.lost,
      highestSequence: this.#buffer.highestSequence,
      jitter: this.#jitter,
      last: this.#lastReport && { compactNtp, sinceMs: now - at },
    });
  }
}
