/** Cores that the transcoder of a stream uses. */
export interface TranscodeUse {
  /** Estimate in cores before the start: see `transcodeCost`. */
  readonly estimated: number;
  /** Smoothed measurement in cores; null before the first one. */
  readonly measured: number | null;
  /** Duration of the measurement, in milliseconds. */
  readonly measuredMs: number;
  /** False: the transcoder lags, so it uses fewer cores than it needs. */
  readonly keepsUp: boolean;
}

/** Startup and filling queues distort the measurement before this time. */
const settledMs = 30_000;
/** A still picture costs little until something moves. */
const minShare = 0.5;

const isSettled = ({ measured, measuredMs }: TranscodeUse): boolean =>
  measured !== null && measuredMs >= settledMs;

/** Cores reserved for a transcoder: its estimate until its use is measured, and at least a share of the estimate. */
export function reservedCores(use: TranscodeUse): number {
  const { estimated, measured, keepsUp } = use;
  if (measured === null || !isSettled(use)) return estimated;
  return Math.max(measured, keepsUp ? minShare * estimated : estimated);
}

/** Cores that a transcoder uses; its estimate until measured. */
export const usedCores = (use: TranscodeUse): number =>
  use.measured !== null && isSettled(use) ? use.measured : use.estimated;
