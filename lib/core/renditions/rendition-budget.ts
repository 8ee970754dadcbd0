/** Cores that a machine may use for on-demand renditions. */
interface CoreUsage {
  readonly cores: number;
  /** Cores used by work of normal priority, mainly live transcoding. */
  readonly busyCores: number;
  /** Cores that transcoding may use. */
  readonly transcodeCores: number;
}

const availableCoresOf = ({ cores, busyCores, transcodeCores }: CoreUsage): number =>
  Math.min(transcodeCores, cores - busyCores);

/** Minimum number of idle cores: with less, encoding a segment takes longer than a viewer waits. */
const MIN_IDLE_CORES = 0.5;

/**
 * How many segments may be encoded concurrently: one per idle core that transcoding may use, at least one; 0 if the machine
 * has almost no idle core.
 */
export function renditionSlots(machine: CoreUsage): number {
  return machine.cores - machine.busyCores < MIN_IDLE_CORES
    ? 0
    : Math.max(1, Math.floor(availableCoresOf(machine)));
}

/**
 * Number of threads of an encoder: its part of the available cores, rounded, at least one.
 * @param runningCount number of running encoders, including the new one
 */
export const renditionThreads = (machine: CoreUsage, runningCount: number): number =>
  Math.max(1, Math.round(availableCoresOf(machine) / runningCount));

/** Fraction of the budget at which eviction stops, so that not every new file evicts an old one. */
const KEPT_FRACTION = 0.9;

/**
 * How many bytes of stored renditions must be evicted.
 * @param budget maximum number of stored bytes; 0 keeps none
 */
export function bytesToEvict(storedBytes: number, budget: number): number {
  return storedBytes <= budget ? 0 : storedBytes - Math.floor(budget * KEPT_FRACTION);
}

/** Limits of the waiting time. Players wait up to ten seconds for the first byte. */
const waitLimits = { minMs: 2_000, maxMs: 6_000 };

/**
 * How long a viewer waits for a segment to be encoded before the source segment is sent instead.
 * @param seconds duration of the segment
 */
export function renditionWaitMs(seconds: number): number {
  return Math.min(waitLimits.maxMs, Math.max(waitLimits.minMs, seconds * 1_000));
}

/**
 * Limits of segments that are encoded on demand. Larger segments take longer to encode than a player waits. The limits for
 * slow video leave some room above those of segment-cuts.ts (300 s and 300 frames).
 */
const segmentLimits = { seconds: 20, sparseSeconds: 301, sparseFrames: 600 };

/**
 * Whether a segment can be encoded on demand. Segments with few frames may be longer, because they end at a keyframe.
 * @param frameRate average frame rate of the source, if known
 */
export function canEncodeSegment(seconds: number, frameRate: number | undefined): boolean {
  if (seconds <= segmentLimits.seconds) return true;
  const frames = frameRate === undefined ? Infinity : seconds * frameRate;
  return seconds <= segmentLimits.sparseSeconds && frames <= segmentLimits.sparseFrames;
}

/** Number of files per IP address that have the highest priority. Further files for the same address come later. */
const FILES_WITHOUT_PRIORITY = 2;
/** Priority number of the last segments that a viewer waits for. */
const LOWEST_PRIORITY = 9;

/**
 * Priority of a rendition job for a viewer. Lower numbers run first, and jobs without a priority before all others.
 * @param waitingCount number of files that the same IP address is already waiting for
 */
export const renditionPriority = (waitingCount: number): number | undefined =>
  waitingCount < FILES_WITHOUT_PRIORITY ? undefined : Math.min(LOWEST_PRIORITY, waitingCount);
