/** Delays that grow with each failure in a row. In any unit. */
export interface Backoff {
  readonly first: number;
  /** Absent: no limit; the number of attempts has one. */
  readonly max?: number;
  /** How many times longer each delay is than the one before; 2 if absent. */
  readonly growth?: number;
}

/** The delay after the `nth` failure in a row; none before the first. */
export function backoffDelay(nth: number, { first, max = Infinity, growth = 2 }: Backoff): number {
  return nth < 1 ? 0 : Math.min(max, first * growth ** (nth - 1));
}
