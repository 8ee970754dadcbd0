import type { PlayerReport, PlayerState } from './read-cmcd';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** The state of one view, by the reports of its player. */
export interface ViewState {
  readonly state: PlayerState | null;
  /** Times of the last change of the state, and of the last report, by the player's clock. */
  readonly stateSinceMs: number;
  readonly reportedAtMs: number;
  /** Sequence number of the last report that has one. */
  readonly sequence: number | null;
  /** Time when the viewer started playback; null before that. */
  readonly startingAtMs: number | null;
  readonly hasPlayed: boolean;
  /** Whether the current state directly follows a seek. Waiting for data after a seek is no stall. */
  readonly isAfterSeek: boolean;
  /** Whether the viewer pressed play. A player that only loads ahead is not a view. */
  readonly hasBegun: boolean;
  /** Latest reported picture height and connection speed. */
  readonly height: number | null;
  readonly throughputKbps: number | null;
  readonly lowestKbps: number | null;
  /** Duration of a stall that ended with the last report, if its cause may still be found; otherwise null. */
  readonly unexplainedStallMs: number | null;
}

/** Values that one report adds to the sums, all times in milliseconds. */
export interface ViewFacts {
  /** Time from play to the first frame, reported once per view. */
  readonly startupMs?: number;
  /** Duration of a stall, reported at its end. */
  readonly stallMs?: number;
  /** Whether the connection was too slow in the last stall. It may become known by a report after the end of the stall. */
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

/**
 * Time by which the media received in a stall is shorter than the stall, from which the connection is too slow. Media
 * may be published almost this much later than due before `published_late` is the cause.
 */
const MIN_SHORTFALL_MS = 1_000;

export const noFacts: ViewFacts = { playedMs: 0, height: null, began: false, failed: false, left: false };
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
  const hasStateChanged = view?.state !== state;
  const isPlaying = state === 'playing';
  const endFacts = hasStateChanged && view ? factsOfEndedWait(view, isPlaying, report) : {};
  const isUnexplained = isPlaying && endFacts.slow === false && report.bufferMs === undefined;
  const hasBegun = (view?.hasBegun ?? false) || (state !== null && state !== 'preloading');
  return {
    view: {
      state,
      stateSinceMs: findStateStart(view, state, report.playerTimeMs),
      reportedAtMs: report.playerTimeMs,
      sequence: report.sequence ?? view?.sequence ?? null,
      startingAtMs: view?.startingAtMs ?? (state === 'starting' ? report.playerTimeMs : null),
      hasPlayed: isPlaying || (view?.hasPlayed ?? false),
      isAfterSeek: hasStateChanged ? view?.state === 'seeking' : view.isAfterSeek,
      hasBegun,
      height: report.height ?? view?.height ?? null,
      throughputKbps: report.throughputKbps ?? view?.throughputKbps ?? null,
      lowestKbps: report.lowestKbps ?? view?.lowestKbps ?? null,
      unexplainedStallMs: isUnexplained ? (endFacts.stallMs ?? null) : null,
    },
    facts: {
      ...endFacts,
      ...omitUndefined({ latencyMs: report.latencyMs }),
      playedMs: view?.state === 'playing' ? durationBetween(view.reportedAtMs, report.playerTimeMs) : 0,
      height: view?.height ?? null,
      began: hasBegun && !view?.hasBegun,
      failed: hasStateChanged && state === 'failed',
      left: view !== null && (state === 'quit' || state === 'ended') && waitsForFirstFrame(view),
    },
  };
}

/**
 * Applies the buffer in a request for media to a view that sends event reports. Some players, such as Shaka, report
 * the buffer in requests only.
 * @param sinceReportMs time between the last report and the request
 */
export function applyRequestOfView(
  view: ViewState,
  { bufferMs }: Pick<PlayerReport, 'bufferMs'>,
  sinceReportMs: number,
): { readonly view: ViewState; readonly facts: ViewFacts } {
  const { unexplainedStallMs } = view;
  if (unexplainedStallMs === null || bufferMs === undefined) return { view, facts: noFacts };
  // Media that was played since the stall has left the buffer.
  if (!hasReceivedTooLittle(unexplainedStallMs, bufferMs + sinceReportMs)) return { view, facts: noFacts };
  return { view: { ...view, unexplainedStallMs: null }, facts: { ...noFacts, slow: true } };
}

/**
 * Whether the media received in a stall is shorter than the stall. A device that is too slow to show media has it in its
 * buffer, and one that is too busy to receive media reports the beginning of the stall late as well.
 * @param bufferMs buffer at the end of the stall, which has all media that was received in the stall
 */
const hasReceivedTooLittle = (stallMs: number, bufferMs: number): boolean =>
  stallMs - bufferMs >= MIN_SHORTFALL_MS;

/** Whether the viewer waits for the first frame. A viewer who ends the view now has left before its start. */
export const waitsForFirstFrame = ({ hasBegun, hasPlayed, state }: ViewState): boolean =>
  hasBegun && !hasPlayed && !finalStates.has(state);

/** Whether the viewer watches or waits, by the last report. The caller checks the age of that report. */
export const isViewerPresent = ({ hasBegun, state }: ViewState): boolean =>
  hasBegun && !finalStates.has(state);

function isOutdated({ reportedAtMs, sequence }: ViewState, report: PlayerReport): boolean {
  if (sequence !== null && report.sequence !== null) return report.sequence <= sequence;
  return report.playerTimeMs < reportedAtMs;
}

function findStateStart(view: ViewState | null, state: PlayerState | null, reportedAtMs: number): number {
  return view && view.state === state ? view.stateSinceMs : reportedAtMs;
}

function factsOfEndedWait(view: ViewState, isPlaying: boolean, report: PlayerReport): Partial<ViewFacts> {
  const { hasPlayed, startingAtMs, state, stateSinceMs, isAfterSeek } = view;
  if (!hasPlayed)
    return isPlaying && startingAtMs !== null
      ? { startupMs: durationBetween(startingAtMs, report.playerTimeMs) }
      : {};
  if (state !== 'rebuffering' || isAfterSeek) return {};
  const throughputKbps = report.throughputKbps ?? view.throughputKbps;
  const lowestKbps = report.lowestKbps ?? view.lowestKbps;
  const stallMs = durationBetween(stateSinceMs, report.playerTimeMs);
  const isBelowLowest = throughputKbps !== null && lowestKbps !== null && throughputKbps < lowestKbps;
  // A view that fails or ends has no more media to receive.
  const lacksMedia =
    isPlaying && report.bufferMs !== undefined && hasReceivedTooLittle(stallMs, report.bufferMs);
  return { stallMs, slow: isBelowLowest || lacksMedia, edgeWaited: report.edgeWaited ?? false };
}

const durationBetween = (fromMs: number, toMs: number) => Math.min(MAX_GAP_MS, Math.max(0, toMs - fromMs));
