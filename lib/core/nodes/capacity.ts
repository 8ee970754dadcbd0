import { nodeFull, type Rejection } from '../streams/publish-admission';

/** What a live process measures of itself about once a second. */
export interface CapacitySample {
  /** How much later than planned its event loop came to this measurement, ms. */
  readonly lateMs: number;
  /** Memory that can be had without swapping; null if that cannot be read. */
  readonly freeMemoryBytes: number | null;
}

/** What keeps a process from taking more streams. */
export type Overload = 'late' | 'memory';

export interface CapacityState {
  /** Smoothed over about eight samples. */
  readonly lateMs: number;
  readonly overload: Overload | null;
}

export const initialCapacityState: CapacityState = { lateMs: 0, overload: null };

const smoothing = 1 / 8;
/** One long pause, for example of a virtual machine, says nothing about the load: it counts no more than this. */
const maxLateMs = 10_000;
/** Players hold two to six seconds: from here on, viewers of the running streams stall. */
const late = { fromMs: 3_000, untilMs: 1_000 } as const;
/** Below it, the kernel ends processes. */
const memory = { below: 64 * 2 ** 20, above: 128 * 2 ** 20 } as const;

/**
 * Only damage counts: a machine that others keep busy takes streams as long as this process keeps up. Both measures have to
 * recover clearly before publishes are admitted again.
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

interface Occupied {
  /** That this process has, those that are being admitted included. */
  readonly streams: number;
  /** Null without a limit. */
  readonly maxStreams: number | null;
  readonly overload: Overload | null;
}

/** Why a process admits no stream that it does not have yet; null when it does. */
export function capacityRefusal({ streams, maxStreams, overload }: Occupied): Rejection | null {
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

interface Room extends Occupied {
  /** Cores of the machine that were idle; null while not measured. */
  readonly idleCores: number | null;
  readonly freeMemoryBytes: number | null;
  /** Cores that all streams of this process keep busy, with packaging and renditions. */
  readonly usedCores: number;
  /** Cores that the transcoders may use together, and what they use. */
  readonly transcode: { readonly cores: number; readonly used: number };
}

/** What a stream without renditions costs before one was measured: several times what docs/benchmarks.md says. */
const defaultStreamCores = 0.05;
/** The segments in memory of a stream at 20 Mbit/s. */
const streamMemoryBytes = 64 * 2 ** 20;
/** With less measured, one quiet stream would promise thousands. */
const minStreamCores = 0.005;

/**
 * How many more streams like the present ones fit, with all their renditions; null while that cannot be said. It is an
 * estimate for people and balancers: `capacityRefusal` decides.
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

/** A measured value over about 30 s, from one every `stepMs`. */
export function average(before: number | null, sample: number, stepMs: number): number {
  return before === null ? sample : before + (sample - before) * Math.min(1, stepMs / 30_000);
}
