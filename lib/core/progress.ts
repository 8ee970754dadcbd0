/** Progress after a report, 0 to 1. It never falls, whatever is reported (null: not started). */
export function risenProgress(before: number | null, reported: number): number {
  return Math.max(before ?? 0, Math.min(1, Math.max(0, reported)));
}
