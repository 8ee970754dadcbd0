/** Delays that grow with each consecutive failure, all in the same unit of time. */
export interface Backoff {
  readonly first: number;
  /** Maximum delay. Absent if the delay needs no limit, because the number of attempts has one. */
  readonly max?: number;
  /** Ratio of each delay to the previous one; 2 by default. */
  readonly growth?: number;
}

/** The delay after this number of consecutive failures; 0 without failures. */
export function backoffDelay(failures: number, { first, max = Infinity, growth = 2 }: Backoff): number {
  return failures < 1 ? 0 : Math.min(max, first * growth ** (failures - 1));
}
