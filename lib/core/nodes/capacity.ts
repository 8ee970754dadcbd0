import { nodeFullRejection, type PublishRejection } from '../streams/publish-admission';

/** Measurements of a live process, about once per second. */
export interface CapacitySample {
  /** Delay of the event loop at this measurement, in milliseconds. */
  readonly timerLagMs: number;
  /** Memory that is available without swapping; null if it can't be read. */
  readonly freeMemoryBytes: number | null;
}

/** Why a process can't take more streams. `late`: its event loop is delayed. `memory`: the machine has too little memory. */
export type OverloadReason = 'late' | 'memory';

export interface CapacityState {
  /** Delay of the event loop, smoothed over about eight samples. */
  readonly timerLagMs: number;
  readonly overloadReason: OverloadReason | null;
}

export const initialCapacityState: CapacityState = { timerLagMs: 0, overloadReason: null };

/** Weight of a new sample in the smoothed delay. */
const SMOOTHING = 1 / 8;
/** Maximum delay that counts per sample. One long pause, such as that of a virtual machine, says nothing about the load. */
const MAX_LAG_MS = 10_000;
/** Delays at which overload starts and ends. Players buffer two to six seconds, so with a longer delay viewers stall. */
const lagThresholds = { fromMs: 3_000, untilMs: 1_000 } as const;
/** Available bytes below which overload starts, because the kernel would soon kill processes, and above which it ends. */
const memoryThresholds = { below: 64 * 2 ** 20, above: 128 * 2 ** 20 } as const;

/**
 * Updates the state with a sample. Only overload of this process counts: a machine that is busy with other work takes
 * streams as long as this process keeps up. Overload ends when the delay or the memory has clearly recovered.
 */
export function updateCapacityState(state: CapacityState, sample: CapacitySample): CapacityState {
  const { freeMemoryBytes } = sample;
  const cappedLagMs = Math.min(MAX_LAG_MS, Math.max(0, sample.timerLagMs));
  const timerLagMs = state.timerLagMs + (cappedLagMs - state.timerLagMs) * SMOOTHING;
  if (timerLagMs >= (state.overloadReason === 'late' ? lagThresholds.untilMs : lagThresholds.fromMs))
    return { timerLagMs, overloadReason: 'late' };
  const requiredBytes = state.overloadReason === 'memory' ? memoryThresholds.above : memoryThresholds.below;
  const isMemoryLow = freeMemoryBytes !== null && freeMemoryBytes < requiredBytes;
  return { timerLagMs, overloadReason: isMemoryLow ? 'memory' : null };
}

interface Occupancy {
  /** Streams of this process, including those being admitted. */
  readonly streams: number;
  /** Maximum number of streams of this process; null without a limit. */
  readonly maxStreams: number | null;
  readonly overloadReason: OverloadReason | null;
}

/** Why a process rejects a new stream; null if it admits one. */
export function capacityRejection({
  streams,
  maxStreams,
  overloadReason,
}: Occupancy): PublishRejection | null {
  if (maxStreams !== null && streams >= maxStreams)
    return nodeFullRejection(`the server has reached its limit of ${maxStreams} streams`);
  switch (overloadReason) {
    case 'late':
      return nodeFullRejection(
        'the server is overloaded and processes streams several seconds late: try again later',
      );
    case 'memory':
      return nodeFullRejection('the server has no free memory: try again later');
    case null:
      return null;
  }
}

interface RoomFacts extends Occupancy {
  /** Idle cores of the machine; null until measured. */
  readonly idleCores: number | null;
  readonly freeMemoryBytes: number | null;
  /** Cores that all streams of this process use, including packaging and renditions. */
  readonly usedCores: number;
  /** Number of cores that all transcoders of the process may use, and the number of cores that they use. */
  readonly transcode: { readonly cores: number; readonly used: number };
}

/** Assumed cost of a stream without renditions until it is measured: several times the cost in docs/benchmarks.md. */
const DEFAULT_STREAM_CORES = 0.05;
/** Memory that the segments of a stream at 20 Mbit/s need. */
const STREAM_MEMORY_BYTES = 64 * 2 ** 20;
/**
 * Minimum cost of a stream. The measured cost of one quiet stream may be so low that it would promise thousands
 * of streams.
 */
const MIN_STREAM_CORES = 0.005;

/**
 * Estimates how many more streams like the current ones fit, with all their renditions; null while unknown. The estimate is
 * for people and load balancers; `capacityRejection` decides about a stream.
 */
export function estimateStreamRoom(facts: RoomFacts): number | null {
  const { streams, maxStreams, idleCores, freeMemoryBytes, usedCores, transcode } = facts;
  if (capacityRejection(facts)) return 0;
  if (idleCores === null) return null;
  const coresPerStream =
    streams === 0 ? DEFAULT_STREAM_CORES : Math.max(MIN_STREAM_CORES, usedCores / streams);
  // How many streams fit by each resource; the scarcest one decides.
  const streamCounts = [idleCores / coresPerStream];
  if (maxStreams !== null) streamCounts.push(maxStreams - streams);
  if (freeMemoryBytes !== null)
    streamCounts.push((freeMemoryBytes - memoryThresholds.above) / STREAM_MEMORY_BYTES);
  if (transcode.used > 0) streamCounts.push((transcode.cores - transcode.used) / (transcode.used / streams));
  return Math.max(0, Math.floor(Math.min(...streamCounts)));
}

/**
 * Adds a sample to an exponential average over about 30 s.
 * @param previous average so far; null before the first sample
 * @param intervalMs time between two samples
 */
export function exponentialMovingAverage(
  previous: number | null,
  sample: number,
  intervalMs: number,
): number {
  return previous === null ? sample : previous + (sample - previous) * Math.min(1, intervalMs / 30_000);
}
