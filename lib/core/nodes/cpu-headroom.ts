/** What all cores of a machine have spent since it started. */
export interface CpuTimes {
  readonly idleMs: number;
  readonly totalMs: number;
}

/** The share of CPU time that was idle between two readings, 0 to 1; null when they are the same. */
export function cpuHeadroomRatio(before: CpuTimes, after: CpuTimes): number | null {
  const totalMs = after.totalMs - before.totalMs;
  // A core that was switched off takes its time with it.
  if (totalMs <= 0) return null;
  return Math.min(1, Math.max(0, (after.idleMs - before.idleMs) / totalMs));
}
