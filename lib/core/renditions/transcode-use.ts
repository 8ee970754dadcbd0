/** Cores that the transcoder of a stream uses. */
export interface TranscodeUse {
  /** Estimate before the start, in cores (`transcodeCost`). */
  readonly estimatedCores: number;
  /** Smoothed measurement in cores; null before the first measurement. */
  readonly measuredCores: number | null;
  /** Duration of the measurement, in milliseconds. */
  readonly measuredMs: number;
  /** Whether the transcoder keeps up with real time. If it lags, it uses fewer cores than it needs. */
  readonly keepsUp: boolean;
}

/** Minimum duration of a usable measurement: the start and empty queues distort a shorter one. */
const MIN_MEASURED_MS = 30_000;
/** Fraction of the estimate that stays reserved: a still picture costs little until something moves. */
const MIN_ESTIMATE_FRACTION = 0.5;

const isSettled = ({ measuredCores, measuredMs }: TranscodeUse): boolean =>
  measuredCores !== null && measuredMs >= MIN_MEASURED_MS;

/**
 * Number of cores that are reserved for a transcoder: its estimate until its usage is measured, then the measurement, but at
 * least a part of the estimate, or the whole estimate while it lags.
 */
export function reservedCores(use: TranscodeUse): number {
  const { estimatedCores, measuredCores, keepsUp } = use;
  if (measuredCores === null || !isSettled(use)) return estimatedCores;
  return Math.max(measuredCores, keepsUp ? MIN_ESTIMATE_FRACTION * estimatedCores : estimatedCores);
}

/** Number of cores that a transcoder uses; its estimate until its usage is measured. */
export const usedCores = (use: TranscodeUse): number =>
  use.measuredCores !== null && isSettled(use) ? use.measuredCores : use.estimatedCores;
