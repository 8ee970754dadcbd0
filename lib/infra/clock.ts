/** Time comes in from outside, so that a test never waits real minutes. */
export interface Clock {
  /** Wall clock, for what people and the database see. */
  now(): Date;
  /** Milliseconds that never jump, for time-outs and durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
};
