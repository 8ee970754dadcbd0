import { type JitterLimits, JitterBuffer, defaultJitterLimits } from './jitter-buffer';
import { createNack, createPli, parseRtcp, createReceiverReport, type SenderReport } from './rtcp';
import { createUnwrapper, isRtcp, parseRtp, type RtpPacket } from './rtp-packet';

export interface RtpReceiverOptions {
  readonly clockRate: number;
  /** Payload type of the track; other packets are ignored. */
  readonly payloadType: number;
  /** SSRC of this receiver in its reports. */
  readonly ownSsrc: number;
  readonly send: (packet: Buffer) => void;
  readonly limits?: JitterLimits;
  /**
   * Called with the next packet in the order of the sender.
   * @param now monotonic milliseconds of its arrival, or of the moment a missing packet was given up
   */
  readonly onPacket: (packet: RtpPacket, now: number) => void;
  /** Called when packets are missing before the next one. */
  readonly onGap: (now: number) => void;
  readonly onSenderReport: (report: SenderReport) => void;
  /** Called when the sender sends BYE. */
  readonly onBye: () => void;
}

const REPORT_INTERVAL_MS = 1_000;
/** Time without packets of the current SSRC after which the track may continue with another SSRC. */
const SSRC_SILENCE_MS = 1_000;

/** Receives one RTP stream: puts its packets in order, requests missing packets again, and sends reports. */
export class RtpReceiver {
  readonly #options: RtpReceiverOptions;
  #buffer: JitterBuffer;
  #ssrc: number | null = null;
  #receivedAt = -Infinity;
  #reportedAt = -Infinity;
  #lastReport: { readonly compactNtp: number; readonly receivedAt: number } | null = null;
  #unwrap = createUnwrapper(32);
  #transitTicks: number | null = null;
  #jitterTicks = 0;
  #now = 0;

  constructor(options: RtpReceiverOptions) {
    this.#options = options;
    this.#buffer = this.#openBuffer();
  }

  /** Time of the last media packet, as passed to `receive`; -Infinity before the first one. */
  get receivedAt(): number {
    return this.#receivedAt;
  }

  /** Handles an RTP or RTCP packet; malformed packets are ignored. */
  receive(packet: Buffer, now: number): void {
    this.#now = now;
    if (isRtcp(packet)) this.#receiveRtcp(packet, now);
    else {
      const media = parseRtp(packet);
      if (media?.payloadType === this.#options.payloadType && this.#acceptSsrc(media.ssrc, now))
        this.#receiveMedia(media, now);
    }
  }

  /** Sends due NACKs and reports; called every few milliseconds. */
  tick(now: number): void {
    this.#now = now;
    if (this.#ssrc === null) return;
    const missingSequences = this.#buffer.tick(now);
    if (missingSequences.length > 0)
      this.#sendFeedback(createNack(this.#options.ownSsrc, this.#ssrc, missingSequences), now);
    else if (now - this.#reportedAt >= REPORT_INTERVAL_MS) this.#options.send(this.#createReport(now));
  }

  requestKeyframe(now: number): void {
    if (this.#ssrc !== null) this.#sendFeedback(createPli(this.#options.ownSsrc, this.#ssrc), now);
  }

  #openBuffer(): JitterBuffer {
    const events = {
      onPacket: (packet: RtpPacket) => this.#options.onPacket(packet, this.#now),
      onGap: () => this.#options.onGap(this.#now),
    };
    return new JitterBuffer(events, this.#options.limits ?? defaultJitterLimits);
  }

  #acceptSsrc(ssrc: number, now: number): boolean {
    if (this.#ssrc === ssrc) return true;
    if (this.#ssrc !== null && now - this.#receivedAt < SSRC_SILENCE_MS) return false;
    const isFirst = this.#ssrc === null;
    this.#ssrc = ssrc;
    this.#buffer = this.#openBuffer();
    this.#lastReport = null;
    this.#transitTicks = null;
    this.#jitterTicks = 0;
    this.#unwrap = createUnwrapper(32);
    if (!isFirst) this.#options.onGap(now);
    return true;
  }

  #receiveMedia(packet: RtpPacket, now: number): void {
    this.#receivedAt = now;
    this.#measureJitter(packet, now);
    this.#buffer.push(packet, now);
  }

  /** Interarrival jitter (RFC 3550 §6.4.1). */
  #measureJitter({ timestamp }: RtpPacket, now: number): void {
    const transit = (now * this.#options.clockRate) / 1_000 - this.#unwrap(timestamp);
    if (this.#transitTicks !== null)
      this.#jitterTicks += (Math.abs(transit - this.#transitTicks) - this.#jitterTicks) / 16;
    this.#transitTicks = transit;
  }

  #receiveRtcp(packet: Buffer, now: number): void {
    const { reports, bye } = parseRtcp(packet);
    for (const report of reports) {
      if (report.ssrc !== this.#ssrc) continue;
      this.#lastReport = { compactNtp: report.compactNtp, receivedAt: now };
      this.#options.onSenderReport(report);
    }
    if (this.#ssrc !== null && bye.includes(this.#ssrc)) this.#options.onBye();
  }

  #sendFeedback(message: Buffer, now: number): void {
    this.#options.send(Buffer.concat([this.#createReport(now), message]));
  }

  #createReport(now: number): Buffer {
    this.#reportedAt = now;
    const { compactNtp, receivedAt } = this.#lastReport ?? { compactNtp: 0, receivedAt: now };
    return createReceiverReport(this.#options.ownSsrc, {
      ssrc: this.#ssrc ?? 0,
      lostRatio: this.#buffer.takeLostRatio(),
      lost: this.#buffer.lostCount,
      highestSequence: this.#buffer.highestSequence,
      jitter: this.#jitterTicks,
      lastSenderReport: this.#lastReport && { compactNtp, sinceMs: now - receivedAt },
    });
  }
}
