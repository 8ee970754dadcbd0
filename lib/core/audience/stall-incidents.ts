import { MINUTE_MS } from '@/lib/core/units';
import type { StallCause } from './explain-stall';

interface StalledMinute {
  /** Id of the stream, session or asset. */
  readonly objectId: string;
  /** Start of the minute in Unix milliseconds. */
  readonly at: number;
  readonly cause: StallCause;
  /**
   * Severity of the cause, as in the API: in milliseconds, or as a ratio to real time for the causes in `ratioCauses`; null
   * if the cause has none.
   */
  readonly measure: number | null;
  readonly stalledMs: number;
  /** Number of views that stalled in the minute. */
  readonly stalledViews: number;
  /** Highest number of simultaneous viewers of the object in the minute, with and without stalls. */
  readonly viewers: number;
}

/** Consecutive minutes of one stream, session or asset with one cause. `measure` is combined by `combineMeasures`. */
export interface StallIncident extends Omit<StalledMinute, 'at'> {
  /** Start and end in Unix milliseconds; the end is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Causes that belong to no point in time. They are shown as a share of the stalled time, not as incidents. */
const scatteredCauses: ReadonlySet<StallCause> = new Set(['unknown', 'viewer_connection']);
/** Causes whose measures are ratios to real time: the measure of an incident is the lowest one. */
const ratioCauses: ReadonlySet<StallCause> = new Set(['source_slow', 'transcode_slow']);
/** Causes whose measures are the longest time in a minute: the measure of an incident is the highest one. */
const peakCauses: ReadonlySet<StallCause> = new Set(['published_late']);

/**
 * Joins stalled minutes to incidents, and returns those with the most stalled time, in the order of time.
 * @param minutes stalled minutes in the order of time
 */
export function findStallIncidents(minutes: readonly StalledMinute[], maxIncidents: number): StallIncident[] {
  const incidents: StallIncident[] = [];
  for (const minute of minutes) {
    const { at, ...facts } = minute;
    if (scatteredCauses.has(minute.cause)) continue;
    const previousIncident = incidents.findLast(
      ({ cause, objectId }) => cause === minute.cause && objectId === minute.objectId,
    );
    if (previousIncident && previousIncident.to >= at)
      incidents[incidents.indexOf(previousIncident)] = extendIncident(previousIncident, minute);
    else incidents.push({ ...facts, from: at, to: at + MINUTE_MS });
  }
  return incidents
    .toSorted((a, b) => b.stalledMs - a.stalledMs)
    .slice(0, maxIncidents)
    .toSorted((a, b) => a.from - b.from);
}

function extendIncident(
  incident: StallIncident,
  { at, measure, stalledMs, stalledViews, viewers }: StalledMinute,
) {
  return {
    ...incident,
    to: at + MINUTE_MS,
    measure: combineMeasures(incident.cause, incident.measure, measure),
    stalledMs: incident.stalledMs + stalledMs,
    // One view or viewer may be counted in several minutes, so sums would count it twice; the maximum is a lower bound.
    stalledViews: Math.max(incident.stalledViews, stalledViews),
    viewers: Math.max(incident.viewers, viewers),
  };
}

/** Measure of two joined periods of one cause: the worst one, or the sum of times such as the silence of an encoder. */
function combineMeasures(cause: StallCause, a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  if (ratioCauses.has(cause)) return Math.min(a, b);
  return peakCauses.has(cause) ? Math.max(a, b) : a + b;
}

/** Share of each cause in the stalled time, from 0 to 1, the largest first. */
export function causeShares(
  minutes: readonly StalledMinute[],
): { readonly cause: StallCause; readonly share: number }[] {
  const sums = new Map<StallCause, number>();
  for (const { cause, stalledMs } of minutes) sums.set(cause, (sums.get(cause) ?? 0) + stalledMs);
  const total = [...sums.values()].reduce((sum, causeSum) => sum + causeSum, 0);
  if (total === 0) return [];
  return [...sums]
    .map(([cause, stalledMs]) => ({ cause, share: stalledMs / total }))
    .toSorted((a, b) => b.share - a.share);
}
