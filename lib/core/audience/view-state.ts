import type { PlayerReport, PlayerState } from './read-cmcd';
import { omitUndefined } from '@/lib/core/omit-undefined';

export interface ViewState {
  readonly state: PlayerState | null;
  /** Times of the last change of the state, and of the last report, by the player's clock. */
  readonly since: number;
  readonly at: number;
  readonly sequence: number | null;
  /** Time when the viewer started playback; null before that. */
  readonly startingAt: number | null;
  readonly hasPlayed: boolean;
  /** Whether the current state directly follows a seek. Waiting for data after a seek is no stall. */
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
  /** Whether the view starts to count with this report. */
  readonly began: boolean;
  readonly failed: boolean;
  /** Whether the viewer left before the first frame. */
  readonly left: boolean;
}

const noFacts: ViewFacts = { playedMs: 0, height: null, began: false, failed: false, left: false };
/** Final states of a view. */
const finalStates: ReadonlySet<PlayerState | null> = new Set(['ended', 'failed', 'quit']);

/**
 * Maximum time between two reports that counts. Players report more often, so a longer gap means that the clock was set or
 * the device slept.
 */
export const MAX_GAP_MS = 120_000;

/**
 * Applies a report to a view. Duplicate and outdated reports change nothing.
 * @param view state of the view; null before the first report
 */
export function applyReport(
  view: ViewState | null,
  report: PlayerReport,
): { readonly view: ViewState; readonly facts: ViewFacts } {
  if (view && isOutdated(view, report)) return { view, facts: noFacts };
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
      ...(hasEntered && view ? factsOfEndedWait(view, isPlaying, report) : {}),
      ...omitUndefined({ latencyMs: report.latencyMs }),
      playedMs: view?.state === 'playing' ? durationBetween(view.at, report.at) : 0,
      height: view?.height ?? null,
      began: hasBegun && !view?.hasBegun,
      failed: hasEntered && state === 'failed',
      left: view !== null && (state === 'quit' || state === 'ended') && waitsForFirstFrame(view),
    },
  };
}

/** Whether the viewer waits for the first frame. A viewer who ends the view now has left before its start. */
export const waitsForFirstFrame = ({ hasBegun, hasPlayed, state }: ViewState): boolean =>
  hasBegun && !hasPlayed && !finalStates.has(state);

/** Whether the viewer watches or waits, by the last report. The caller checks the age of that report. */
export const isViewerPresent = ({ hasBegun, state }: ViewState): boolean =>
  hasBegun && !finalStates.has(state);

function isOutdated({ at, sequence }: ViewState, report: PlayerReport): boolean {
  if (sequence !== null && report.sequence !== null) return report.sequence <= sequence;
  return report.at < at;
}

function stateSince(view: ViewState | null, state: PlayerState | null, at: number): number {
  return view && view.state === state ? view.since : at;
}

function factsOfEndedWait(view: ViewState, isPlaying: boolean, report: PlayerReport): Partial<ViewFacts> {
  const { hasPlayed, startingAt, state, since, afterSeek } = view;
  if (!hasPlayed)
    return isPlaying && startingAt !== null ? { startupMs: durationBetween(startingAt, report.at) } : {};
  if (state !== 'rebuffering' || afterSeek) return {};
  const throughput = report.throughputKbps ?? view.throughputKbps;
  const lowest = report.lowestKbps ?? view.lowestKbps;
  const slow = throughput !== null && lowest !== null && throughput < lowest;
  return { stallMs: durationBetween(since, report.at), slow, edgeWaited: report.edgeWaited ?? false };
}

const durationBetween = (from: number, to: number) => Math.min(MAX_GAP_MS, Math.max(0, to - from));
