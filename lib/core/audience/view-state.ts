import type { PlayerReport, PlayerState } from './read-cmcd';
import { defined } from '@/lib/core/defined';

export interface ViewState {
  readonly state: PlayerState | null;
  /** Times of the last state change and of the last report, by the player's clock. */
  readonly since: number;
  readonly at: number;
  readonly sequence: number | null;
  /** Time when playback was requested; null before that. */
  readonly startingAt: number | null;
  readonly hasPlayed: boolean;
  /** Whether the viewer has just seeked: waiting for data is then no stall. */
  readonly afterSeek: boolean;
  /** Whether the viewer pressed play. A player that only loads ahead is not a view. */
  readonly hasBegun: boolean;
  /** Latest reported picture height and connection speed. */
  readonly height: number | null;
  readonly throughputKbps: number | null;
  readonly lowestKbps: number | null;
}

/** Values that one report adds to the sums, all times in milliseconds. */
export interface ViewFacts {
  /** Time from play to the first frame, reported once per view. */
  readonly startupMs?: number;
  /** Duration of a stall, reported at its end. */
  readonly stallMs?: number;
  /** Whether the connection was slower than the lowest rendition needs when the stall ended. */
  readonly slow?: boolean;
  /** Whether the edge of the viewer waited for its origin when the stall ended. */
  readonly edgeWaited?: boolean;
  readonly playedMs: number;
  /** Picture height in lines during this time. */
  readonly height: number | null;
  readonly latencyMs?: number;
  /** Whether the view counts. */
  readonly began: boolean;
  readonly failed: boolean;
  /** Whether the viewer left before the first frame. */
  readonly left: boolean;
}

const noFacts: ViewFacts = { playedMs: 0, height: null, began: false, failed: false, left: false };
/** Final states of a view. */
const finalStates: ReadonlySet<PlayerState | null> = new Set(['ended', 'failed', 'quit']);

/** Players report more often; a longer gap means that the clock was set or the device slept. */
export const maxGapMs = 120_000;

/**
 * Applies a report to a view. Duplicate and late reports change nothing.
 * @param view null before the first report
 */
export function nextView(
  view: ViewState | null,
  report: PlayerReport,
): { readonly view: ViewState; readonly facts: ViewFacts } {
  if (view && isOld(view, report)) return { view, facts: noFacts };
  const state = report.state ?? view?.state ?? null;
  const hasEntered = view?.state !== state;
  const isPlaying = state === 'playing';
  const hasBegun = (view?.hasBegun ?? false) || (state !== null && state !== 'preloading');
  return {
    view: {
      state,
      since: stateSince(view, state, report.at),
      at: report.at,
      sequence: report.sequence ?? view?.sequence ?? null,
      startingAt: view?.startingAt ?? (state === 'starting' ? report.at : null),
      hasPlayed: isPlaying || (view?.hasPlayed ?? false),
      afterSeek: hasEntered ? view?.state === 'seeking' : view.afterSeek,
      hasBegun,
      height: report.height ?? view?.height ?? null,
      throughputKbps: report.throughputKbps ?? view?.throughputKbps ?? null,
      lowestKbps: report.lowestKbps ?? view?.lowestKbps ?? null,
    },
    facts: {
      ...(hasEntered && view ? endedWait(view, isPlaying, report) : {}),
      ...defined({ latencyMs: report.latencyMs }),
      playedMs: view?.state === 'playing' ? gap(view.at, report.at) : 0,
      height: view?.height ?? null,
      began: hasBegun && !view?.hasBegun,
      failed: hasEntered && state === 'failed',
      left: view !== null && (state === 'quit' || state === 'ended') && isBeforeStart(view),
    },
  };
}

/** Whether the viewer waits for the first frame. A view that ends in this state counts as left before the start. */
export const isBeforeStart = ({ hasBegun, hasPlayed, state }: ViewState): boolean =>
  hasBegun && !hasPlayed && !finalStates.has(state);

/** Whether the viewer watches or waits, by the last report. The caller checks the age of that report. */
export const isPresent = ({ hasBegun, state }: ViewState): boolean => hasBegun && !finalStates.has(state);

function isOld({ at, sequence }: ViewState, report: PlayerReport): boolean {
  if (sequence !== null && report.sequence !== null) return report.sequence <= sequence;
  return report.at < at;
}

function stateSince(view: ViewState | null, state: PlayerState | null, at: number): number {
  return view && view.state === state ? view.since : at;
}

function endedWait(view: ViewState, isPlaying: boolean, report: PlayerReport): Partial<ViewFacts> {
  const { hasPlayed, startingAt, state, since, afterSeek } = view;
  if (!hasPlayed) return isPlaying && startingAt !== null ? { startupMs: gap(startingAt, report.at) } : {};
  if (state !== 'rebuffering' || afterSeek) return {};
  const throughput = report.throughputKbps ?? view.throughputKbps;
  const lowest = report.lowestKbps ?? view.lowestKbps;
  const slow = throughput !== null && lowest !== null && throughput < lowest;
  return { stallMs: gap(since, report.at), slow, edgeWaited: report.edgeWaited ?? false };
}

const gap = (from: number, to: number) => Math.min(maxGapMs, Math.max(0, to - from));
