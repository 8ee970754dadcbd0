/** Delays that grow with each consecutive failure, in any unit. */
export interface Backoff {
  readonly first: number;
  /** Absent: the delay is unlimited, because the number of attempts is limited. */
  readonly max?: number;
  /** Ratio of each delay to the previous one; 2 by default. */
  readonly growth?: number;
}

/** The delay after the `nth` consecutive failure; 0 before the first. */
export function backoffDelay(nth: number, { first, max = Infinity, growth = 2 }: Backoff): number {
  return nth < 1 ? 0 : Math.min(max, first * growth ** (nth - 1));
}
