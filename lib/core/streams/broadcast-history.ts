import type { ProgramInput } from './program-state';

/** A period of a broadcast with one input; null: no video arrived, and no slate was shown. */
export interface OnAirPeriod {
  readonly input: ProgramInput | null;
  readonly from: number;
  readonly to: number;
}

/** An event of the program or of a target, with Unix milliseconds. */
export type BroadcastEvent =
  | { readonly at: number; readonly name: 'switched'; readonly to: ProgramInput }
  | { readonly at: number; readonly name: 'slateStarted' | 'slateEnded' };

export interface HistoryFacts {
  /** Start of the session and current time, Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  /** Events of the broadcast, in any order. */
  readonly events: readonly BroadcastEvent[];
  /** Times of the health samples, oldest first. */
  readonly sampledAt: readonly number[];
  /** Milliseconds covered by one sample. */
  readonly interval: number;
  /** The current input, and when it went on air; null: unknown. */
  readonly current: { readonly input: ProgramInput | null; readonly since: number } | null;
}

/** Samples can be late: a shorter distance between two samples is no gap. */
const minGapMs = 12_000;

/** The input on air at each time of a broadcast. The periods are consecutive from `from` to `to`. */
export function onAirPeriods(facts: HistoryFacts): readonly OnAirPeriod[] {
  const { from, to } = facts;
  if (to <= from) return [];
  const inputs = inputPeriods(facts);
  const gaps = gapsOf(facts);
  const parts = inputs.flatMap((period) => (period.input === 'slate' ? [period] : withoutGaps(period, gaps)));
  return joinPeriods(parts);
}

function inputPeriods({ from, to, events, current }: HistoryFacts): OnAirPeriod[] {
  const periods: OnAirPeriod[] = [];
  let encoder: ProgramInput = firstEncoder(events);
  let open = { input: encoder, from };
  const change = (input: ProgramInput, at: number) => {
    const time = Math.min(Math.max(at, open.from), to);
    periods.push({ ...open, to: time });
    open = { input, from: time };
  };
  for (const event of [...events].sort((a, b) => a.at - b.at)) {
    if (event.name === 'switched') encoder = event.to;
    change(event.name === 'slateStarted' ? 'slate' : encoder, event.at);
  }
  // The newest event may not be stored yet.
  if (current && current.input !== null && current.input !== open.input) change(current.input, current.since);
  periods.push({ ...open, to });
  return periods.filter((period) => period.to > period.from);
}

/** There are two encoders: before the first switch, the other one was on air. */
function firstEncoder(events: readonly BroadcastEvent[]): ProgramInput {
  const switches = events.filter((event) => event.name === 'switched').sort((a, b) => a.at - b.at);
  return switches[0]?.to === 'primary' ? 'standby' : 'primary';
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

function gapsOf({ from, to, sampledAt, interval }: HistoryFacts): readonly Gap[] {
  const minGap = Math.max(minGapMs, 2.5 * interval);
  const inside = sampledAt.filter((at) => at >= from && at <= to);
  // Without samples, it is unknown whether video arrived.
  if (inside.length === 0) return [];
  const times = [from, ...inside, to];
  return times.flatMap((at, index) => {
    const next = times[index + 1];
    return next !== undefined && next - at > minGap ? [{ from: at, to: next }] : [];
  });
}

function withoutGaps(period: OnAirPeriod, gaps: readonly Gap[]): OnAirPeriod[] {
  const parts: OnAirPeriod[] = [];
  let at = period.from;
  for (const gap of gaps) {
    const start = Math.max(gap.from, at);
    const end = Math.min(gap.to, period.to);
    if (end <= start) continue;
    parts.push({ ...period, from: at, to: start }, { input: null, from: start, to: end });
    at = end;
  }
  parts.push({ ...period, from: at });
  return parts.filter((part) => part.to > part.from);
}

function joinPeriods(periods: readonly OnAirPeriod[]): readonly OnAirPeriod[] {
  const joinedPeriods: OnAirPeriod[] = [];
  for (const period of periods) {
    const last = joinedPeriods.at(-1);
    if (last?.input === period.input) joinedPeriods[joinedPeriods.length - 1] = { ...last, to: period.to };
    else joinedPeriods.push(period);
  }
  return joinedPeriods;
}
