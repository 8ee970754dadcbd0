import { minuteMs } from '@/lib/core/units';
import type { StallCause } from './explain-stall';

interface StalledMinute {
  /** Id of the stream, session or asset. */
  readonly objectId: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly cause: StallCause;
  readonly measure: number | null;
  readonly stalledMs: number;
  readonly stalledViews: number;
  readonly viewers: number;
}

/** Consecutive minutes of one stream, session or asset with one cause. */
export interface StallIncident extends Omit<StalledMinute, 'at'> {
  readonly from: number;
  readonly to: number;
}

/** Causes without a point in time. They are shown as a share, not as an incident. */
const scatteredCauses: ReadonlySet<StallCause> = new Set(['unknown', 'viewer_connection']);
/** Causes whose values are ratios, of which the lowest counts; values of causes in no set are times and add up. */
const shares: ReadonlySet<StallCause> = new Set(['source_slow', 'transcode_slow']);
/** Causes whose values are the worst of a minute, of which the highest counts. */
const peaks: ReadonlySet<StallCause> = new Set(['published_late']);

/**
 * The worst incidents, in order of time.
 * @param minutes in order of time
 */
export function stallIncidents(minutes: readonly StalledMinute[], maxIncidents: number): StallIncident[] {
  const incidents: StallIncident[] = [];
  for (const minute of minutes) {
    const { at, ...facts } = minute;
    if (scatteredCauses.has(minute.cause)) continue;
    const last = incidents.findLast(
      ({ cause, objectId }) => cause === minute.cause && objectId === minute.objectId,
    );
    if (last && last.to >= at) incidents[incidents.indexOf(last)] = extendIncident(last, minute);
    else incidents.push({ ...facts, from: at, to: at + minuteMs });
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
    to: at + minuteMs,
    measure: worseMeasure(incident.cause, incident.measure, measure),
    stalledMs: incident.stalledMs + stalledMs,
    // A view may stall in several minutes.
    stalledViews: Math.max(incident.stalledViews, stalledViews),
    viewers: Math.max(incident.viewers, viewers),
  };
}

function worseMeasure(cause: StallCause, a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  if (shares.has(cause)) return Math.min(a, b);
  return peaks.has(cause) ? Math.max(a, b) : a + b;
}

/** Shares of the paused time by cause, largest first. */
export function causeShares(
  minutes: readonly StalledMinute[],
): { readonly cause: StallCause; readonly share: number }[] {
  const sums = new Map<StallCause, number>();
  for (const { cause, stalledMs } of minutes) sums.set(cause, (sums.get(cause) ?? 0) + stalledMs);
  const total = [...sums.values()].reduce((sum, each) => sum + each, 0);
  if (total === 0) return [];
  return [...sums]
    .map(([cause, stalledMs]) => ({ cause, share: stalledMs / total }))
    .toSorted((a, b) => b.share - a.share);
}
