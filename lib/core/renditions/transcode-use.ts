/** What the transcoder of a stream keeps busy. */
export interface TranscodeUse {
  /** In cores, before it started: see `transcodeCost`. */
  readonly estimated: number;
  /** In cores, smoothed; null until it was measured. */
  readonly measured: number | null;
  /** For how long it has been measured. */
  readonly measuredMs: number;
  /** Otherwise it uses less than it needs. */
  readonly keepsUp: boolean;
}

/** Before that, starting up and filling queues are a large part of what is measured. */
const settledMs = 30_000;
/** A still picture costs little, until something moves. */
const leastShare = 0.5;

const isSettled = ({ measured, measuredMs }: TranscodeUse): boolean =>
  measured !== null && measuredMs >= settledMs;

/** Cores that are reserved for a transcoder: its estimate until its use is known, and part of that at least. */
export function reservedCores(use: TranscodeUse): number {
  const { estimated, measured, keepsUp } = use;
  if (measured === null || !isSettled(use)) return estimated;
  return Math.max(measured, keepsUp ? leastShare * estimated : estimated);
}

/** Cores that a transcoder uses; its estimate until that is known. */
export const usedCores = (use: TranscodeUse): number =>
  use.measured !== null && isSettled(use) ? use.measured : use.estimated;
