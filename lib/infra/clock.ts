/** Source of time. Tests replace it, so that they need not wait. */
export interface Clock {
  /** Wall-clock time, for times that are shown or stored. */
  now(): Date;
  /** Monotonic milliseconds, for timeouts and durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
};
