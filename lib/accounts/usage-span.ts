/** Days in UTC, both included, as `2026-01-31`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** A hundredth of a minute is as exact as anybody bills. */
export const minutesOf = (seconds: number): number => Math.round((seconds / 60) * 100) / 100;
