import { createUnwrapper } from '@/media-worker/rtc/rtp/rtp-packet';
import type { SenderReport } from '@/media-worker/rtc/rtp/rtcp';

export type TrackKind = 'video' | 'audio';

/** Tracks that differ by at most this much are in sync for every viewer. */
const TOLERANCE_MS = 15;
/** A larger difference means that the clocks are unrelated, so the report is ignored. */
const MAX_SKEW_MS = 10_000;

/** Converts the RTP timestamps of one track to milliseconds since the publish began. */
class TrackClock {
  readonly #ticksPerMs: number;
  readonly #unwrap = createUnwrapper(32);
  #origin: { readonly ticks: number; readonly ms: number } | null = null;
  #report: { readonly ticks: number; readonly ntpMs: number } | null = null;

  constructor(clockRate: number) {
    this.#ticksPerMs = clockRate / 1_000;
  }

  /** @param elapsedMs time since the publish began, at which the clock of the track starts with its first packet */
  msOf(timestamp: number, elapsedMs: number): number {
    const ticks = this.#unwrap(timestamp);
    this.#origin ??= { ticks, ms: elapsedMs };
    return this.#origin.ms + (ticks - this.#origin.ticks) / this.#ticksPerMs;
  }

  addReport({ rtpTime, ntpMs }: SenderReport): void {
    this.#report = { ticks: this.#unwrap(rtpTime), ntpMs };
  }

  /** The sender's wall clock at time 0 of this clock; null before the first report or packet of the track. */
  get wallClockAtZeroMs(): number | null {
    if (!this.#origin || !this.#report) return null;
    const reportedMs = this.#origin.ms + (this.#report.ticks - this.#origin.ticks) / this.#ticksPerMs;
    return this.#report.ntpMs - reportedMs;
  }

  /** Moves all later times by `ms` milliseconds. */
  move(ms: number): void {
    if (this.#origin) this.#origin = { ...this.#origin, ms: this.#origin.ms + ms };
  }
}

/**
 * Converts the RTP timestamps of one publisher to milliseconds on one clock. A track begins when its first packet
 * arrives. The sender reports of both tracks then show their true offset, and the audio is moved, because moving
 * the video would make playback stutter. A later change of the offset has to be shown by reports of both tracks.
 */
export class MediaClock {
  readonly #tracks: Readonly<Record<TrackKind, TrackClock>>;
  #isSynchronized = false;
  /** A new difference of the tracks, ms, and the tracks whose reports show it. */
  #unconfirmedSkew: { readonly ms: number; readonly kinds: ReadonlySet<TrackKind> } | null = null;

  constructor(clockRates: Readonly<Record<TrackKind, number>>) {
    this.#tracks = { video: new TrackClock(clockRates.video), audio: new TrackClock(clockRates.audio) };
  }

  /**
   * Converts an RTP timestamp.
   * @param elapsedMs arrival of the packet, milliseconds since the publish began
   * @returns milliseconds since the publish began
   */
  msOf(kind: TrackKind, timestamp: number, elapsedMs: number): number {
    return this.#tracks[kind].msOf(timestamp, elapsedMs);
  }

  addReport(kind: TrackKind, report: SenderReport): void {
    const { video, audio } = this.#tracks;
    this.#tracks[kind].addReport(report);
    const [videoMs, audioMs] = [video.wallClockAtZeroMs, audio.wallClockAtZeroMs];
    if (videoMs === null || audioMs === null) return;
    const skewMs = audioMs - videoMs;
    if (Math.abs(skewMs) >= MAX_SKEW_MS) return;
    if (Math.abs(skewMs) > TOLERANCE_MS && this.#isConfirmed(kind, skewMs)) audio.move(skewMs);
    else if (Math.abs(skewMs) <= TOLERANCE_MS) this.#unconfirmedSkew = null;
    this.#isSynchronized = true;
  }

  /**
   * Whether reports of both tracks show this difference. If the wall clock of the sender is set between the reports of two
   * tracks, only one of them shows it. The first difference needs no confirmation.
   */
  #isConfirmed(kind: TrackKind, skewMs: number): boolean {
    const isSame =
      this.#unconfirmedSkew !== null && Math.abs(this.#unconfirmedSkew.ms - skewMs) <= TOLERANCE_MS;
    const kinds = new Set([...(isSame ? (this.#unconfirmedSkew?.kinds ?? []) : []), kind]);
    const isConfirmed = !this.#isSynchronized || kinds.size === 2;
    this.#unconfirmedSkew = isConfirmed ? null : { ms: skewMs, kinds };
    return isConfirmed;
  }
}
