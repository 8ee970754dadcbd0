import { latencyBounds, startupBounds, addToHistogram } from './histogram';
import type { ViewFacts } from './view-state';

/**
 * Names of the counts that add up over views. Times are in milliseconds. `startups`: views with a first frame. `left`: views
 * that ended before their first frame. `presentMs`: watch time of all viewers, with stalls.
 */
export const countNames = [
  'views',
  'startups',
  'startupMs',
  'left',
  'failures',
  'stalls',
  'stallMs',
  'playedMs',
  'presentMs',
] as const;

/** Counts of one object, or of one share of its viewers. */
export type AudienceCounts = Record<(typeof countNames)[number], number>;
/** Counts that are not 0, and the current viewers, by the name of a share of the viewers, such as a country. */
export type AudienceShares = Record<string, Partial<AudienceCounts & { viewers: number }>>;

/** Playback quality of one object in one period. */
export interface AudienceSums extends AudienceCounts {
  /** Number of views that stalled. */
  stalledViews: number;
  /** Stalls in which the connection of the viewer was too slow. */
  slowStalls: number;
  /** Stalls of viewers whose edge waited for its origin. */
  edgeStalls: number;
  /** How long the serving machines had no CPU time left, in milliseconds. */
  overloadedMs: number;
  /** Current viewers, and the maximum of concurrent viewers. */
  viewers: number;
  peak: number;
  /** Histograms over `startupBounds` and `latencyBounds`. */
  startupTimes: readonly number[];
  latencies: readonly number[];
  /** Played time in milliseconds by picture height. */
  heights: Record<string, number>;
  countries: AudienceShares;
  devices: AudienceShares;
  players: AudienceShares;
}

/** The shares of the viewers that a view belongs to. */
export interface ViewShares {
  /** Country code; null if unknown. */
  readonly country: string | null;
  readonly device: string;
  readonly player: string;
}

export const createEmptySums = (): AudienceSums => ({
  views: 0,
  startups: 0,
  startupMs: 0,
  left: 0,
  failures: 0,
  stalls: 0,
  stallMs: 0,
  playedMs: 0,
  presentMs: 0,
  stalledViews: 0,
  slowStalls: 0,
  edgeStalls: 0,
  overloadedMs: 0,
  viewers: 0,
  peak: 0,
  startupTimes: [],
  latencies: [],
  heights: {},
  countries: {},
  devices: {},
  players: {},
});

const standardHeights = [144, 240, 360, 480, 540, 720, 1_080, 1_440, 2_160, 4_320];

/**
 * The standard picture height that is nearest to a reported one. Players may report any height, and the number of different
 * heights must stay small.
 */
const findNearestStandardHeight = (height: number): number =>
  standardHeights.reduce((nearest, candidate) =>
    Math.abs(candidate - height) < Math.abs(nearest - height) ? candidate : nearest,
  );

/** Adds the facts of one report to the sums and to the shares of its view. */
export function addViewFacts(sums: AudienceSums, facts: ViewFacts, shares: ViewShares): void {
  const { startupMs, stallMs, latencyMs, playedMs, height } = facts;
  const counts: AudienceCounts = {
    views: Number(facts.began),
    startups: Number(startupMs !== undefined),
    startupMs: startupMs ?? 0,
    left: Number(facts.left),
    failures: Number(facts.failed),
    stalls: Number(stallMs !== undefined),
    stallMs: stallMs ?? 0,
    playedMs,
    presentMs: 0,
  };
  addCounts(sums, counts);
  sums.slowStalls += Number(facts.slow ?? false);
  sums.edgeStalls += Number(facts.edgeWaited ?? false);
  if (startupMs !== undefined)
    sums.startupTimes = addToHistogram(sums.startupTimes, startupBounds, startupMs);
  if (latencyMs !== undefined) sums.latencies = addToHistogram(sums.latencies, latencyBounds, latencyMs);
  if (height !== null && playedMs > 0) {
    const name = findNearestStandardHeight(height);
    sums.heights[name] = (sums.heights[name] ?? 0) + playedMs;
  }
  if (countNames.every((name) => counts[name] === 0)) return;
  for (const share of sharesOf(sums, shares)) addCounts(share, counts);
}

/** Adds a current viewer and the watch time of this viewer. */
export function addViewer(sums: AudienceSums, presentMs: number, shares: ViewShares): void {
  sums.viewers += 1;
  sums.peak = Math.max(sums.peak, sums.viewers);
  sums.presentMs += presentMs;
  for (const share of sharesOf(sums, shares)) {
    share.viewers = (share.viewers ?? 0) + 1;
    share.presentMs = (share.presentMs ?? 0) + presentMs;
  }
}

/** Resets the numbers of current viewers before they are counted again. */
export function resetViewers(sums: AudienceSums): void {
  sums.viewers = 0;
  for (const kind of shareKinds) for (const share of Object.values(sums[kind])) delete share.viewers;
}

const shareKinds = ['countries', 'devices', 'players'] as const;

const sharesOf = (sums: AudienceSums, { country, device, player }: ViewShares) => [
  ...(country === null ? [] : [(sums.countries[country] ??= {})]),
  (sums.devices[device] ??= {}),
  (sums.players[player] ??= {}),
];

function addCounts(total: Partial<AudienceCounts>, counts: Partial<AudienceCounts>): void {
  for (const name of countNames) {
    const count = counts[name] ?? 0;
    if (count !== 0) total[name] = (total[name] ?? 0) + count;
  }
}

/**
 * Sums the rows of one or several nodes and periods. Current viewers are not added. The peak is the highest one of a period,
 * in which the peaks of the nodes add up.
 * @param rows rows with the starts of their periods
 */
export function mergeSums(rows: readonly (AudienceSums & { readonly startsAt: number })[]): AudienceSums {
  const total = createEmptySums();
  const peaks = new Map<number, number>();
  for (const row of rows) {
    addCounts(total, row);
    total.stalledViews += row.stalledViews;
    total.slowStalls += row.slowStalls;
    total.edgeStalls += row.edgeStalls;
    total.overloadedMs += row.overloadedMs;
    peaks.set(row.startsAt, (peaks.get(row.startsAt) ?? 0) + row.peak);
    total.startupTimes = addCountLists(total.startupTimes, row.startupTimes);
    total.latencies = addCountLists(total.latencies, row.latencies);
    for (const [height, ms] of Object.entries(row.heights))
      total.heights[height] = (total.heights[height] ?? 0) + ms;
    for (const kind of shareKinds)
      for (const [name, counts] of Object.entries(row[kind])) addCounts((total[kind][name] ??= {}), counts);
  }
  total.peak = Math.max(0, ...peaks.values());
  return total;
}

const addCountLists = (counts: readonly number[], otherCounts: readonly number[]): number[] =>
  Array.from(
    { length: Math.max(counts.length, otherCounts.length) },
    (_, index) => (counts[index] ?? 0) + (otherCounts[index] ?? 0),
  );
