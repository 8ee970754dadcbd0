import type { PlayerReport, PlayerState } from './read-cmcd';

/** One view as its reports tell it. */
export interface ViewState {
  readonly state: PlayerState | null;
  /** When the player entered it, and when it last reported, by its clock. */
  readonly since: number;
  readonly at: number;
  readonly sequence: number | null;
  /** When it began to start; null until it did. */
  readonly startingAt: number | null;
  readonly hasPlayed: boolean;
  /** The viewer jumped right before: waiting for data is then no stall. */
  readonly afterSeek: boolean;
}

/** What one report adds to the sums; all times in milliseconds. */
export interface ViewFacts {
  /** From the start to the first picture, once for each view. */
  readonly startupMs?: number;
  /** A pause in which the player had nothing to play, at its end. */
  readonly stallMs?: number;
  readonly playedMs: number;
  readonly failed: boolean;
}

const nothing: ViewFacts = { playedMs: 0, failed: false };

/** Players report more often; of more, the clock was set or the device slept. */
export const longestGapMs = 120_000;

/**
 * The view after one more report. Reports that come twice or too late change nothing.
 * @param view null before the first report
 */
export function nextView(
  view: ViewState | null,
  report: PlayerReport,
): { readonly view: ViewState; readonly facts: ViewFacts } {
  if (view && isOld(view, report)) return { view, facts: nothing };
  const state = report.state ?? view?.state ?? null;
  const entered = view?.state !== state;
  const isPlaying = state === 'playing';
  return {
    view: {
      state,
      since: stateSince(view, state, report.at),
      at: report.at,
      sequence: report.sequence ?? view?.sequence ?? null,
      startingAt: view?.startingAt ?? (state === 'starting' ? report.at : null),
      hasPlayed: isPlaying || (view?.hasPlayed ?? false),
      afterSeek: entered ? view?.state === 'seeking' : view.afterSeek,
    },
    facts: {
      ...(entered && view ? endedWait(view, isPlaying, report.at) : {}),
      playedMs: view?.state === 'playing' ? gap(view.at, report.at) : 0,
      failed: entered && state === 'failed',
    },
  };
}

function isOld({ at, sequence }: ViewState, report: PlayerReport): boolean {
  if (sequence !== null && report.sequence !== null) return report.sequence <= sequence;
  return report.at < at;
}

function stateSince(view: ViewState | null, state: PlayerState | null, at: number): number {
  return view && view.state === state ? view.since : at;
}

function endedWait(view: ViewState, isPlaying: boolean, at: number): Partial<ViewFacts> {
  const { hasPlayed, startingAt, state, since, afterSeek } = view;
  if (!hasPlayed) return isPlaying && startingAt !== null ? { startupMs: gap(startingAt, at) } : {};
  return state === 'rebuffering' && !afterSeek ? { stallMs: gap(since, at) } : {};
}

const gap = (from: number, to: number) => Math.min(longestGapMs, Math.max(0, to - from));
