import type { PlayerReport, PlayerState } from './read-cmcd';
import { applyReport, type ViewState } from './view-state';

/** A period in which a player had one state and one picture height. */
export interface TimelineEntry {
  /** Unix milliseconds of the player's clock. */
  readonly at: number;
  readonly durationMs: number;
  readonly state: PlayerState;
  /** Picture height in lines; null if the player did not report it. */
  readonly height: number | null;
  /** The lowest throughput, and the bitrate of the lowest rendition; kilobits per second. */
  readonly throughputKbps: number | null;
  readonly lowestKbps: number | null;
}

/** The timeline of one view, made of the reports of its player. */
export interface ViewTimeline {
  /** Unix milliseconds of the player's clock. */
  readonly from: number;
  readonly to: number;
  /** Time to the first frame in milliseconds; null if no frame was shown. */
  readonly startupMs: number | null;
  readonly playedMs: number;
  readonly stalls: number;
  readonly stallMs: number;
  readonly failed: boolean;
  readonly entries: readonly TimelineEntry[];
}

const MAX_ENTRIES = 300;

/**
 * Creates the timeline of a view. It has the reports of the view with the first report; reports of other views are ignored.
 * A long view keeps the last entries only.
 * @returns null if no report has a state
 */
export function createViewTimeline(reports: readonly PlayerReport[]): ViewTimeline | null {
  const [firstReport] = reports;
  const viewReports = reports.filter(({ sessionId }) => sessionId === firstReport?.sessionId);
  let view: ViewState | null = null;
  const sums = { startupMs: null as number | null, playedMs: 0, stalls: 0, stallMs: 0, failed: false };
  const entries: TimelineEntry[] = [];
  for (const report of viewReports) {
    const next = applyReport(view, report);
    if (next.view === view) continue;
    const { startupMs, stallMs, playedMs, failed } = next.facts;
    sums.startupMs ??= startupMs ?? null;
    sums.playedMs += playedMs;
    sums.stalls += Number(stallMs !== undefined);
    sums.stallMs += stallMs ?? 0;
    sums.failed ||= failed;
    view = next.view;
    addEntry(entries, view);
  }
  const [oldest, newest] = [entries[0], entries.at(-1)];
  if (!oldest || !newest) return null;
  const to = newest.at + newest.durationMs;
  return { from: oldest.at, to, ...sums, entries: entries.slice(-MAX_ENTRIES) };
}

/**
 * Extends the newest entry to the last report, and adds another entry if the state or the picture height changed. A clock
 * that was set back does not move the end.
 */
function addEntry(entries: TimelineEntry[], view: ViewState): void {
  const { state, height, throughputKbps, lowestKbps } = view;
  const newest = entries.at(-1);
  const startsAtMs = Math.max(view.reportedAtMs, newest ? newest.at + newest.durationMs : 0);
  const isSame = newest?.state === state && newest.height === height;
  if (newest) {
    const slowest = lowerOf(newest.throughputKbps, throughputKbps);
    entries[entries.length - 1] = {
      ...newest,
      durationMs: startsAtMs - newest.at,
      ...(isSame ? { throughputKbps: slowest, lowestKbps } : {}),
    };
  }
  if (state !== null && !isSame) {
    entries.push({ at: startsAtMs, durationMs: 0, state, height, throughputKbps, lowestKbps });
  }
}

const lowerOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);
