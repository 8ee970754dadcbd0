/** Cores that a machine may use for on-demand renditions. */
interface Cores {
  readonly cores: number;
  /** Cores used by work of normal priority, mainly live transcoding. */
  readonly busy: number;
  /** Cores that transcoding may use. */
  readonly transcodeCores: number;
}

const freeOf = ({ cores, busy, transcodeCores }: Cores): number => Math.min(transcodeCores, cores - busy);

/** With fewer cores, a segment takes longer than a viewer waits. */
const minCores = 0.5;

/** How many segments may be encoded concurrently: one per core that live streams leave idle. */
export function renditionSlots(machine: Cores): number {
  return machine.cores - machine.busy < minCores ? 0 : Math.max(1, Math.floor(freeOf(machine)));
}

/**
 * Threads of an encoder. Half a core counts as one: a viewer waits for the encoder, it has low priority, and threads wait
 * for each other.
 * @param running encoders, including this one
 */
export const renditionThreads = (machine: Cores, running: number): number =>
  Math.max(1, Math.round(freeOf(machine) / running));

/** Eviction stops at this share of the budget, so that not every new file evicts an old one. */
const remainingShare = 0.9;

/** Bytes of stored renditions to evict, least recently used first. @param budget 0 keeps nothing */
export function bytesToRemove(storedBytes: number, budget: number): number {
  return storedBytes <= budget ? 0 : storedBytes - Math.floor(budget * remainingShare);
}

/** Players wait ten seconds for the first byte, some of them less. */
const wait = { minMs: 2_000, maxMs: 6_000 };

/**
 * How long a viewer waits for a segment to be encoded before the source segment is sent instead.
 * @param seconds duration of the segment
 */
export function renditionWaitMs(seconds: number): number {
  return Math.min(wait.maxMs, Math.max(wait.minMs, seconds * 1_000));
}

/** Longer segments take longer to encode than a player waits. */
export const maxSegmentSeconds = 20;

/** Files that viewers wait for come before all others; further files for the same address come after those. */
const filesFirst = 2;
/** Lowest priority of a segment that a viewer waits for. */
const lastPriority = 9;

/** Priority of a job in the queue, lowest first. @param waiting files that the same address is already waiting for */
export const renditionPriority = (waiting: number): number | undefined =>
  waiting < filesFirst ? undefined : Math.min(lastPriority, waiting);
