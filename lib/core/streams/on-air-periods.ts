import type { ProgramInput } from './program-state';

/** A period of a session with one input on air. `input` is null if no video arrived and no slate was shown. */
export interface OnAirPeriod {
  readonly input: ProgramInput | null;
  /** Start and end in Unix milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** An event of the program; `at` is in Unix milliseconds. */
export type ProgramEvent =
  | { readonly at: number; readonly name: 'switched'; readonly to: ProgramInput }
  | { readonly at: number; readonly name: 'slateStarted' | 'slateEnded' };

export interface OnAirFacts {
  /** Start of the session, and the current time, in Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  /** Events of the session, in any order. */
  readonly events: readonly ProgramEvent[];
  /** Times of the health samples in Unix milliseconds, the oldest first. */
  readonly sampledAt: readonly number[];
  /** Milliseconds covered by one sample. */
  readonly sampleIntervalMs: number;
  /** The input on air, and when it went on air; null if unknown. */
  readonly current: { readonly input: ProgramInput | null; readonly since: number } | null;
}

/** Minimum distance between two samples that is a gap. Samples can be late. */
const MIN_GAP_MS = 12_000;

/** Finds the input on air at each time of a session. The periods cover the time from `from` to `to` without overlaps. */
export function findOnAirPeriods(facts: OnAirFacts): readonly OnAirPeriod[] {
  const { from, to } = facts;
  if (to <= from) return [];
  const inputs = findInputPeriods(facts);
  const gaps = findGaps(facts);
  const parts = inputs.flatMap((period) => (period.input === 'slate' ? [period] : cutGaps(period, gaps)));
  return joinPeriods(parts);
}

function findInputPeriods({ from, to, events, current }: OnAirFacts): OnAirPeriod[] {
  const periods: OnAirPeriod[] = [];
  let encoder: ProgramInput = initialEncoder(events);
  let openPeriod = { input: encoder, from };
  const startPeriod = (input: ProgramInput, eventTime: number) => {
    const time = Math.min(Math.max(eventTime, openPeriod.from), to);
    periods.push({ ...openPeriod, to: time });
    openPeriod = { input, from: time };
  };
  for (const event of [...events].sort((a, b) => a.at - b.at)) {
    if (event.name === 'switched') encoder = event.to;
    startPeriod(event.name === 'slateStarted' ? 'slate' : encoder, event.at);
  }
  // The newest event may not be stored yet.
  if (current && current.input !== null && current.input !== openPeriod.input)
    startPeriod(current.input, current.since);
  periods.push({ ...openPeriod, to });
  return periods.filter((period) => period.to > period.from);
}

/**
 * The encoder on air before the first switch. There are two encoders, so it is the one to which the first switch
 * did not go.
 */
function initialEncoder(events: readonly ProgramEvent[]): ProgramInput {
  const switches = events.filter((event) => event.name === 'switched').sort((a, b) => a.at - b.at);
  return switches[0]?.to === 'primary' ? 'standby' : 'primary';
}

/** A time without video. Unix milliseconds. */
interface VideoGap {
  readonly from: number;
  readonly to: number;
}

function findGaps({ from, to, sampledAt, sampleIntervalMs }: OnAirFacts): readonly VideoGap[] {
  // One missing sample is no gap, and neither is one that is half an interval late.
  const minGapMs = Math.max(MIN_GAP_MS, 2.5 * sampleIntervalMs);
  const sampleTimes = sampledAt.filter((time) => time >= from && time <= to);
  // Without samples, it is unknown whether video arrived.
  if (sampleTimes.length === 0) return [];
  const times = [from, ...sampleTimes, to];
  return times.flatMap((time, index) => {
    const nextTime = times[index + 1];
    return nextTime !== undefined && nextTime - time > minGapMs ? [{ from: time, to: nextTime }] : [];
  });
}

function cutGaps(period: OnAirPeriod, gaps: readonly VideoGap[]): OnAirPeriod[] {
  const parts: OnAirPeriod[] = [];
  let position = period.from;
  for (const gap of gaps) {
    const gapStart = Math.max(gap.from, position);
    const gapEnd = Math.min(gap.to, period.to);
    if (gapEnd <= gapStart) continue;
    parts.push({ ...period, from: position, to: gapStart }, { input: null, from: gapStart, to: gapEnd });
    position = gapEnd;
  }
  parts.push({ ...period, from: position });
  return parts.filter((part) => part.to > part.from);
}

function joinPeriods(periods: readonly OnAirPeriod[]): readonly OnAirPeriod[] {
  const joinedPeriods: OnAirPeriod[] = [];
  for (const period of periods) {
    const previous = joinedPeriods.at(-1);
    if (previous?.input === period.input)
      joinedPeriods[joinedPeriods.length - 1] = { ...previous, to: period.to };
    else joinedPeriods.push(period);
  }
  return joinedPeriods;
}
