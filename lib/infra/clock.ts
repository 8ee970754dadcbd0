/** Injected, so that tests never wait for real time. */
export interface Clock {
  /** Wall clock, for what people and the database see. */
  now(): Date;
  /** Monotonic milliseconds, for timeouts and durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
};
