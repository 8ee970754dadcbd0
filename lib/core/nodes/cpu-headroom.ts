/** CPU time that all cores of a machine have spent since boot. */
export interface CpuTimes {
  readonly idleMs: number;
  readonly totalMs: number;
}

/** The share of CPU time that was idle between two readings, 0 to 1; null for equal readings. */
export function cpuHeadroomRatio(before: CpuTimes, after: CpuTimes): number | null {
  const totalMs = after.totalMs - before.totalMs;
  // The time of a core disappears when it is switched off.
  if (totalMs <= 0) return null;
  return Math.min(1, Math.max(0, (after.idleMs - before.idleMs) / totalMs));
}
