/** Level of a microphone. */
export interface AudioLevel {
  /** Peak level in dBFS. */
  readonly peakDb: number;
  /** Whether samples were clipped within the last 1.5 s: the microphone is too loud. */
  readonly clips: boolean;
  readonly clippedAt: number | null;
}

/** Lowest level of the meter; lower levels count as silence. */
export const floorDb = -60;

export const silence: AudioLevel = { peakDb: floorDb, clips: false, clippedAt: null };

/** The peak falls at this rate, so that a short sound stays visible. */
const fallDbPerSecond = 24;
const clippedFrom = 0.99;
const clipShownMs = 1_500;

/** @param peak largest sample since the previous call, 0 to 1 @param now, @param elapsedMs milliseconds */
export function nextLevel(
  before: AudioLevel,
  { peak, now, elapsedMs }: { readonly peak: number; readonly now: number; readonly elapsedMs: number },
): AudioLevel {
  const db = peak > 0 ? Math.max(floorDb, 20 * Math.log10(peak)) : floorDb;
  const fallen = Math.max(floorDb, before.peakDb - (fallDbPerSecond * elapsedMs) / 1_000);
  const clippedAt = peak >= clippedFrom ? now : before.clippedAt;
  return {
    peakDb: Math.min(0, Math.max(db, fallen)),
    clips: clippedAt !== null && now - clippedAt < clipShownMs,
    clippedAt,
  };
}

/** Largest absolute value of the samples. */
export function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return peak;
}

/** Filled share of the meter, 0 to 1. */
export const meterShare = ({ peakDb }: AudioLevel): number => 1 - peakDb / floorDb;
