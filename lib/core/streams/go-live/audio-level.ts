/** Level of a microphone, as its meter shows it. */
export interface AudioLevel {
  /** Peak level in dBFS. */
  readonly peakDb: number;
  /** Whether samples were clipped within the last 1.5 s: the microphone is too loud. */
  readonly isClipping: boolean;
  /** When a sample was last clipped, in the caller's milliseconds; null if none was. */
  readonly clippedAt: number | null;
}

/** Lowest level of the meter; lower levels count as silence. */
export const FLOOR_DB = -60;

export const silentLevel: AudioLevel = { peakDb: FLOOR_DB, isClipping: false, clippedAt: null };

/** Speed at which the shown level falls, so that a short sound stays visible. */
const FALL_DB_PER_SECOND = 24;
/** Absolute sample value from which a sample counts as clipped. */
const CLIPPING_PEAK = 0.99;
const CLIP_SHOWN_MS = 1_500;

/** Updates the level with the largest sample since the previous call, `peak`, from 0 to 1. Times are in milliseconds. */
export function updateLevel(
  previous: AudioLevel,
  { peak, now, elapsedMs }: { readonly peak: number; readonly now: number; readonly elapsedMs: number },
): AudioLevel {
  const db = peak > 0 ? Math.max(FLOOR_DB, 20 * Math.log10(peak)) : FLOOR_DB;
  const decayedDb = Math.max(FLOOR_DB, previous.peakDb - (FALL_DB_PER_SECOND * elapsedMs) / 1_000);
  const clippedAt = peak >= CLIPPING_PEAK ? now : previous.clippedAt;
  return {
    peakDb: Math.min(0, Math.max(db, decayedDb)),
    isClipping: clippedAt !== null && now - clippedAt < CLIP_SHOWN_MS,
    clippedAt,
  };
}

/** Largest absolute value of the samples. */
export function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return peak;
}

/** Filled fraction of the meter, 0 to 1. */
export const meterFraction = ({ peakDb }: AudioLevel): number => 1 - peakDb / FLOOR_DB;
