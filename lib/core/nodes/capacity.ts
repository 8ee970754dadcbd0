import { nodeFull, type Rejection } from '../streams/publish-admission';

/** Measurements of a live process, about once per second. */
export interface CapacitySample {
  /** Delay of the event loop at this measurement, ms. */
  readonly lateMs: number;
  /** Memory available without swapping; null if it can't be read. */
  readonly freeMemoryBytes: number | null;
}

/** Why a process can't take more streams. */
export type Overload = 'late' | 'memory';

export interface CapacityState {
  /** Smoothed over about eight samples. */
  readonly lateMs: number;
  readonly overload: Overload | null;
}

export const initialCapacityState: CapacityState = { lateMs: 0, overload: null };

const smoothing = 1 / 8;
/** Cap per sample: one long pause, for example of a virtual machine, says nothing about the load. */
const maxLateMs = 10_000;
/** Players buffer two to six seconds: from this delay on, viewers of running streams stall. */
const late = { fromMs: 3_000, untilMs: 1_000 } as const;
/** Below this, the kernel kills processes. */
const memory = { below: 64 * 2 ** 20, above: 128 * 2 ** 20 } as const;

/**
 * Updates the state with a sample. Only overload of this process counts: a machine that is busy with other work takes
 * streams as long as this process keeps up. Both measures must recover clearly before publishes are admitted again.
 */
export function afterCapacitySample(state: CapacityState, sample: CapacitySample): CapacityState {
  const { freeMemoryBytes } = sample;
  const elapsedLate = Math.min(maxLateMs, Math.max(0, sample.lateMs));
  const lateMs = state.lateMs + (elapsedLate - state.lateMs) * smoothing;
  if (lateMs >= (state.overload === 'late' ? late.untilMs : late.fromMs)) return { lateMs, overload: 'late' };
  const enough = state.overload === 'memory' ? memory.above : memory.below;
  const isShort = freeMemoryBytes !== null && freeMemoryBytes < enough;
  return { lateMs, overload: isShort ? 'memory' : null };
}

interface Occupancy {
  /** Streams of this process, including those being admitted. */
  readonly streams: number;
  /** Null: no limit. */
  readonly maxStreams: number | null;
  readonly overload: Overload | null;
}

/** Why a process refuses a new stream; null if it admits one. */
export function capacityRefusal({ streams, maxStreams, overload }: Occupancy): Rejection | null {
  if (maxStreams !== null && streams >= maxStreams)
    return nodeFull(`the server has reached its limit of ${maxStreams} streams`);
  switch (overload) {
    case 'late':
      return nodeFull('the server is overloaded and processes streams several seconds late: try again later');
    case 'memory':
      return nodeFull('the server has no free memory: try again later');
    case null:
      return null;
  }
}

interface Room extends Occupancy {
  /** Idle cores of the machine; null until measured. */
  readonly idleCores: number | null;
  readonly freeMemoryBytes: number | null;
  /** Cores that all streams of this process use, including packaging and renditions. */
  readonly usedCores: number;
  /** Cores that the transcoders may use together, and those in use. */
  readonly transcode: { readonly cores: number; readonly used: number };
}

/** Assumed cost of a stream without renditions before one was measured: several times that of docs/benchmarks.md. */
const defaultStreamCores = 0.05;
/** Memory for the segments of a stream at 20 Mbit/s. */
const streamMemoryBytes = 64 * 2 ** 20;
/** Minimum cost: a lower measurement of one quiet stream would promise thousands. */
const minStreamCores = 0.005;

/**
 * How many more streams like the current ones fit, with all their renditions; null while unknown. An estimate for people
 * and load balancers: `capacityRefusal` decides.
 */
export function streamRoom(room: Room): number | null {
  const { streams, maxStreams, idleCores, freeMemoryBytes, usedCores, transcode } = room;
  if (capacityRefusal(room)) return 0;
  if (idleCores === null) return null;
  const coresEach = streams === 0 ? defaultStreamCores : Math.max(minStreamCores, usedCores / streams);
  const bounds = [idleCores / coresEach];
  if (maxStreams !== null) bounds.push(maxStreams - streams);
  if (freeMemoryBytes !== null) bounds.push((freeMemoryBytes - memory.above) / streamMemoryBytes);
  if (transcode.used > 0) bounds.push((transcode.cores - transcode.used) / (transcode.used / streams));
  return Math.max(0, Math.floor(Math.min(...bounds)));
}

/** Exponential average over about 30 s, for samples every `stepMs`. */
export function average(before: number | null, sample: number, stepMs: number): number {
  return before === null ? sample : before + (sample - before) * Math.min(1, stepMs / 30_000);
}
