/** CPU time that all cores of a machine have spent since boot. */
export interface CpuTimes {
  readonly idleMs: number;
  readonly totalMs: number;
}

/** The fraction of CPU time that was idle between two readings, 0 to 1; null if the total time has not grown. */
export function cpuHeadroomRatio(before: CpuTimes, after: CpuTimes): number | null {
  const totalMs = after.totalMs - before.totalMs;
  // When a core is switched off, its time is no longer part of the total.
  if (totalMs <= 0) return null;
  return Math.min(1, Math.max(0, (after.idleMs - before.idleMs) / totalMs));
}
