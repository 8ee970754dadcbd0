import { type JitterLimits, JitterBuffer, defaultJitterLimits } from './jitter-buffer';
import { createNack, createPli, parseRtcp, createReceiverReport, type SenderReport } from './rtcp';
import { createUnwrapper, isRtcp, parseRtp, type RtpPacket } from './rtp-packet';

export interface RtpReceiverOptions {
  /** Ticks per second of the RTP timestamps. */
  readonly clockRate: number;
  /** Payload type of the track; other packets are ignored. */
  readonly payloadType: number;
  /** SSRC of this receiver in its reports. */
  readonly ownSsrc: number;
  readonly send: (packet: Buffer) => void;
  readonly limits?: JitterLimits;
  /**
   * Called with the next packet in the order of the sender.
   * @param monotonicMs its arrival, or the time at which a missing packet before it was given up
   */
  readonly onPacket: (packet: RtpPacket, monotonicMs: number) => void;
  /** Called when packets are missing before the next one. */
  readonly onGap: (monotonicMs: number) => void;
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
  #receivedAtMs = -Infinity;
  #reportedAtMs = -Infinity;
  #lastReport: { readonly compactNtp: number; readonly receivedAtMs: number } | null = null;
  #unwrap = createUnwrapper(32);
  /** Arrival minus timestamp of the last media packet, ticks; null before the first one. */
  #transitTicks: number | null = null;
  #jitterTicks = 0;
  /** Time of the newest call of `receive` or `tick`, in which the jitter buffer calls back. */
  #monotonicMs = 0;

  constructor(options: RtpReceiverOptions) {
    this.#options = options;
    this.#buffer = this.#openBuffer();
  }

  /** Arrival of the last media packet, monotonic ms; -Infinity before the first one. */
  get receivedAtMs(): number {
    return this.#receivedAtMs;
  }

  /** Handles an RTP or RTCP packet; malformed packets are ignored. */
  receive(packet: Buffer, monotonicMs: number): void {
    this.#monotonicMs = monotonicMs;
    if (isRtcp(packet)) this.#receiveRtcp(packet, monotonicMs);
    else {
      const media = parseRtp(packet);
      if (media?.payloadType === this.#options.payloadType && this.#acceptSsrc(media.ssrc, monotonicMs))
        this.#receiveMedia(media, monotonicMs);
    }
  }

  /** Sends due NACKs and reports; called every few milliseconds. */
  tick(monotonicMs: number): void {
    this.#monotonicMs = monotonicMs;
    if (this.#ssrc === null) return;
    const missingSequences = this.#buffer.tick(monotonicMs);
    if (missingSequences.length > 0)
      this.#sendFeedback(createNack(this.#options.ownSsrc, this.#ssrc, missingSequences), monotonicMs);
    else if (monotonicMs - this.#reportedAtMs >= REPORT_INTERVAL_MS)
      this.#options.send(this.#createReport(monotonicMs));
  }

  /** Requests a keyframe with a PLI, unless no packet has arrived yet. */
  requestKeyframe(monotonicMs: number): void {
    if (this.#ssrc !== null) this.#sendFeedback(createPli(this.#options.ownSsrc, this.#ssrc), monotonicMs);
  }

  #openBuffer(): JitterBuffer {
    const events = {
      onPacket: (packet: RtpPacket) => this.#options.onPacket(packet, this.#monotonicMs),
      onGap: () => this.#options.onGap(this.#monotonicMs),
    };
    return new JitterBuffer(events, this.#options.limits ?? defaultJitterLimits);
  }

  #acceptSsrc(ssrc: number, monotonicMs: number): boolean {
    if (this.#ssrc === ssrc) return true;
    if (this.#ssrc !== null && monotonicMs - this.#receivedAtMs < SSRC_SILENCE_MS) return false;
    const isFirst = this.#ssrc === null;
    this.#ssrc = ssrc;
    this.#buffer = this.#openBuffer();
    this.#lastReport = null;
    this.#transitTicks = null;
    this.#jitterTicks = 0;
    this.#unwrap = createUnwrapper(32);
    if (!isFirst) this.#options.onGap(monotonicMs);
    return true;
  }

  #receiveMedia(packet: RtpPacket, monotonicMs: number): void {
    this.#receivedAtMs = monotonicMs;
    this.#measureJitter(packet, monotonicMs);
    this.#buffer.push(packet, monotonicMs);
  }

  /** Updates the interarrival jitter (RFC 3550 §6.4.1). */
  #measureJitter({ timestamp }: RtpPacket, monotonicMs: number): void {
    const transit = (monotonicMs * this.#options.clockRate) / 1_000 - this.#unwrap(timestamp);
    if (this.#transitTicks !== null)
      this.#jitterTicks += (Math.abs(transit - this.#transitTicks) - this.#jitterTicks) / 16;
    this.#transitTicks = transit;
  }

  #receiveRtcp(packet: Buffer, monotonicMs: number): void {
    const { reports, endedSsrcs } = parseRtcp(packet);
    for (const report of reports) {
      if (report.ssrc !== this.#ssrc) continue;
      this.#lastReport = { compactNtp: report.compactNtp, receivedAtMs: monotonicMs };
      this.#options.onSenderReport(report);
    }
    if (this.#ssrc !== null && endedSsrcs.includes(this.#ssrc)) this.#options.onBye();
  }

  #sendFeedback(message: Buffer, monotonicMs: number): void {
    this.#options.send(Buffer.concat([this.#createReport(monotonicMs), message]));
  }

  #createReport(monotonicMs: number): Buffer {
    this.#reportedAtMs = monotonicMs;
    const { compactNtp, receivedAtMs } = this.#lastReport ?? { compactNtp: 0, receivedAtMs: monotonicMs };
    return createReceiverReport(this.#options.ownSsrc, {
      ssrc: this.#ssrc ?? 0,
      lostRatio: this.#buffer.takeLostRatio(),
      lostCount: this.#buffer.lostCount,
      highestSequence: this.#buffer.highestSequence,
      jitterTicks: this.#jitterTicks,
      lastSenderReport: this.#lastReport && { compactNtp, ageMs: monotonicMs - receivedAtMs },
    });
  }
}
