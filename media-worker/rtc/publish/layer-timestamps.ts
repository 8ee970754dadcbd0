import type { SenderReport } from '@/media-worker/rtc/rtp/rtcp';
import { createUnwrapper } from '@/media-worker/rtc/rtp/rtp-packet';

const TICKS_PER_MS = 90;
/** Layers that differ by at most this much are in sync. Sender reports of one sender differ by some milliseconds. */
const TOLERANCE_TICKS = 15 * TICKS_PER_MS;
/** Layers with timestamps that are nearer than this have one clock, as those of OBS, which sends reports of one layer only. */
const ONE_CLOCK_TICKS = 500 * TICKS_PER_MS;
/** A larger difference from the times of arrival means that the clocks are unrelated. */
const MAX_SKEW_TICKS = 10_000 * TICKS_PER_MS;

/** Time without reports of the reference after which those of other layers are used. */
const REPORT_TIMEOUT_MS = 5_000;

/** Wraps ticks to an RTP timestamp of 32 bits. */
const wrapTo32Bits = (ticks: number): number => ((Math.round(ticks) % 2 ** 32) + 2 ** 32) % 2 ** 32;

/** The RTP clock of one layer. Ticks are unwrapped: they exceed 32 bits instead of starting again at 0. */
interface LayerClock {
  readonly unwrap: (timestamp: number) => number;
  latest: { readonly ticks: number; readonly arrivedAtMs: number } | null;
  report: { readonly ticks: number; readonly ntpMs: number } | null;
  /** Ticks to add to a timestamp of the layer; null before its first frame. */
  offsetTicks: number | null;
}

/**
 * Converts the RTP timestamps of all layers to those of the first layer that was converted, the reference. Each layer starts
 * at a random timestamp, and sender reports show which timestamps belong together. Before both reports have arrived, the
 * times of arrival do.
 */
export class LayerTimestamps {
  readonly #layers: readonly LayerClock[];
  #referenceIndex: number | null = null;
  /** Arrival of the reference's last sender report, monotonic ms. */
  #reportedAtMs = -Infinity;

  constructor(layerCount: number) {
    this.#layers = Array.from({ length: layerCount }, () => ({
      unwrap: createUnwrapper(32),
      latest: null,
      report: null,
      offsetTicks: null,
    }));
  }

  /**
   * Adds a sender report of a layer.
   * @returns the report on the clock of the reference; null for reports of other layers while the reference has its own
   */
  addReport(layerIndex: number, report: SenderReport, monotonicMs: number): SenderReport | null {
    const clock = this.#layers[layerIndex];
    // The first value decides how later ones are unwrapped, so it has to be a frame's timestamp.
    if (!clock?.latest) return null;
    const ticks = clock.unwrap(report.rtpTime);
    clock.report = { ticks, ntpMs: report.ntpMs };
    if (layerIndex === this.#referenceIndex) {
      this.#reportedAtMs = monotonicMs;
      return report;
    }
    if (clock.offsetTicks === null || monotonicMs - this.#reportedAtMs < REPORT_TIMEOUT_MS) return null;
    return { ...report, rtpTime: wrapTo32Bits(ticks + clock.offsetTicks) };
  }

  /**
   * Converts a timestamp of a layer to the clock of the reference.
   * @param monotonicMs time of arrival
   * @returns the timestamp of the reference for the same moment, 32 bits
   */
  convert(layerIndex: number, timestamp: number, monotonicMs: number): number {
    const clock = this.#layers[layerIndex];
    if (!clock) return timestamp;
    const ticks = clock.unwrap(timestamp);
    clock.latest = { ticks, arrivedAtMs: monotonicMs };
    this.#referenceIndex ??= layerIndex;
    const reference = this.#layers[this.#referenceIndex];
    if (!reference?.latest || reference === clock) return timestamp;
    const offsetByArrivalTicks =
      reference.latest.ticks + (monotonicMs - reference.latest.arrivedAtMs) * TICKS_PER_MS - ticks;
    const isPlausible = (offsetTicks: number | null): offsetTicks is number =>
      offsetTicks !== null && Math.abs(offsetTicks - offsetByArrivalTicks) <= MAX_SKEW_TICKS;
    const offsetByReportsTicks =
      Math.abs(offsetByArrivalTicks) < ONE_CLOCK_TICKS ? 0 : offsetTicksByReports(reference, clock);
    if (!isPlausible(clock.offsetTicks))
      clock.offsetTicks = isPlausible(offsetByReportsTicks) ? offsetByReportsTicks : offsetByArrivalTicks;
    else if (
      isPlausible(offsetByReportsTicks) &&
      Math.abs(offsetByReportsTicks - clock.offsetTicks) > TOLERANCE_TICKS
    )
      clock.offsetTicks = offsetByReportsTicks;
    return wrapTo32Bits(ticks + clock.offsetTicks);
  }
}

/** The offset in ticks that the sender reports of two layers show; null before both have arrived. */
function offsetTicksByReports({ report: reference }: LayerClock, { report }: LayerClock): number | null {
  if (!reference || !report) return null;
  return reference.ticks - report.ticks + (report.ntpMs - reference.ntpMs) * TICKS_PER_MS;
}
