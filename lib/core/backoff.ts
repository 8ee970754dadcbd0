/** Parameters of an exponential backoff without jitter. The caller chooses the unit of time. */
export interface BackoffOptions {
  /** Delay after the first failure. */
  readonly firstDelay: number;
  /** Maximum delay. Absent if the delay needs no limit, because the number of attempts has one. */
  readonly maxDelay?: number;
  /** Ratio of each delay to the previous one; 2 by default. */
  readonly factor?: number;
}

/** The delay after this number of consecutive failures; 0 without failures. */
export function backoffDelay(
  failures: number,
  { firstDelay, maxDelay = Infinity, factor = 2 }: BackoffOptions,
): number {
  return failures < 1 ? 0 : Math.min(maxDelay, firstDelay * factor ** (failures - 1));
}
