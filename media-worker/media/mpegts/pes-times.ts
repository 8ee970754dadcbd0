import type { Pes } from './pes-reader';

const TICKS_PER_MS = 90;
const WRAP_TICKS = 2 ** 33;
/** A longer distance of two units is a pause. */
const MAX_UNIT_TICKS = 1_000 * TICKS_PER_MS;

/** Decode and presentation time of an access unit in milliseconds. */
export interface UnitTimes {
  readonly dts: number;
  readonly pts: number;
}

/**
 * Times of the access units of one track. A unit without time stamps follows the previous one: a time stamp is only required
 * every 700 ms (ISO/IEC 13818-1 §2.7.4).
 */
export class PesTimes {
  readonly #unwrap: (ticks: number) => number;
  /** Estimated distance of two units, in 90 kHz ticks. */
  #unitTicks: number;
  /**
   * Decode time of the last unit with time stamps, and its presentation time minus decode time, in 90 kHz ticks; null before
   * it.
   */
  #lastStamped: { readonly dts: number; readonly presentationTicks: number } | null = null;
  /** Number of units since the last one with time stamps. */
  #unitsSince = 0;
  /** Whether units were lost since then. */
  #hasLosses = false;

  /**
   * @param unwrap turns 33-bit times into continuous ones
   * @param unitMs duration of a unit that is assumed before two time stamps show it, ms
   */
  constructor(unwrap: (ticks: number) => number, unitMs: number) {
    this.#unwrap = unwrap;
    this.#unitTicks = unitMs * TICKS_PER_MS;
  }

  /** Advances to the next unit. Returns its times; null if no unit had time stamps yet. */
  advance({ pts, dts }: Pick<Pes, 'pts' | 'dts'>): UnitTimes | null {
    this.#unitsSince += 1;
    if (pts !== null && dts !== null) this.#addStamps(this.#unwrap(dts), ticksBetween(dts, pts));
    if (!this.#lastStamped) return null;
    const ticks = this.#lastStamped.dts + this.#unitsSince * this.#unitTicks;
    return {
      dts: Math.round(ticks / TICKS_PER_MS),
      pts: Math.round((ticks + this.#lastStamped.presentationTicks) / TICKS_PER_MS),
    };
  }

  /** To be called after units were lost, because the next time stamp does not show the duration of a unit then. */
  reset(): void {
    this.#hasLosses = true;
  }

  #addStamps(dts: number, presentationTicks: number): void {
    const unitTicks = this.#lastStamped ? (dts - this.#lastStamped.dts) / this.#unitsSince : 0;
    if (unitTicks > 0 && unitTicks <= MAX_UNIT_TICKS && !this.#hasLosses) this.#unitTicks = unitTicks;
    this.#lastStamped = { dts, presentationTicks };
    this.#unitsSince = 0;
    this.#hasLosses = false;
  }
}

/** Ticks from `dts` to `pts`, across the 33-bit wrap. */
function ticksBetween(dts: number, pts: number): number {
  const ahead = (pts - dts + WRAP_TICKS) % WRAP_TICKS;
  return ahead < WRAP_TICKS / 2 ? ahead : ahead - WRAP_TICKS;
}
