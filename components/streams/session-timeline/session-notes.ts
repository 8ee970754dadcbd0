import type { Translator } from '@/components/i18n/messages';
import { formatDuration } from '@/components/ui/time-text';
import { textIn } from '@/components/streams/activity/event-payload';
import type { StreamEvent } from '@/lib/contract/webhooks/event-endpoints';
import type { ProgramEvent, OnAirPeriod } from '@/lib/core/streams/on-air-periods';
import { type ProgramInput, programInputs } from '@/lib/core/streams/program-state';

/** An incident of a session; `at` is its start in Unix milliseconds, and `target` the name of a multistream target. */
export type SessionNote =
  | { readonly at: number; readonly kind: 'gap' | 'slate'; readonly seconds: number }
  | { readonly at: number; readonly kind: 'switched'; readonly toInput: ProgramInput }
  | { readonly at: number; readonly kind: 'targetFailed'; readonly target: string };

/** Changes of the program according to the events of the stream. */
export function programEvents(events: readonly StreamEvent[]): readonly ProgramEvent[] {
  return events.flatMap(({ event, createdAt: at, payload }): ProgramEvent[] => {
    if (event === 'stream.slate_started') return [{ at, name: 'slateStarted' }];
    if (event === 'stream.slate_ended') return [{ at, name: 'slateEnded' }];
    if (event !== 'stream.switched') return [];
    const name = textIn(payload, 'to');
    const to = programInputs.find((input) => input === name);
    return to ? [{ at, name: 'switched', to }] : [];
  });
}

/** Shortest listed gap without any input, in seconds. Shorter gaps occur when one input replaces another. */
const MIN_GAP_SECONDS = 2;

/**
 * Gaps, switches between encoders, slates and failed targets, oldest first.
 * @param startedAt start of the session, in Unix milliseconds
 */
export function createNotes(
  periods: readonly OnAirPeriod[],
  events: readonly StreamEvent[],
  startedAt: number,
): readonly SessionNote[] {
  let lastEncoder: ProgramInput | null = null;
  const notes: SessionNote[] = [];
  for (const period of periods) {
    const { input, from: at } = period;
    const seconds = (period.to - at) / 1_000;
    if (input === 'slate') notes.push({ at, kind: 'slate', seconds });
    else if (input === null) {
      if (seconds >= MIN_GAP_SECONDS) notes.push({ at, kind: 'gap', seconds });
    } else {
      if (lastEncoder !== null && lastEncoder !== input) notes.push({ at, kind: 'switched', toInput: input });
      lastEncoder = input;
    }
  }
  for (const { event, createdAt: at, payload } of events) {
    if (event !== 'multistream.error' || at < startedAt) continue;
    const target = textIn(payload, 'target', 'name');
    if (target !== undefined) notes.push({ at, kind: 'targetFailed', target });
  }
  return notes.sort((note, other) => note.at - other.at);
}

interface BitrateSample {
  /** Unix milliseconds. */
  readonly at: number;
  /** In bit/s. */
  readonly bitrate: number;
}

/**
 * SVG path of the bitrate as an area, 1,000 wide and 100 high. The highest bitrate is at 8, so that the line is not cut
 * off; the bitrate is zero, at 100, where nothing was measured for longer than 2.5 intervals.
 * @param samples oldest first
 */
export function bitratePath(
  samples: readonly BitrateSample[],
  { from, to, intervalMs }: { readonly from: number; readonly to: number; readonly intervalMs: number },
): string {
  const maxBitrate = Math.max(1, ...samples.map(({ bitrate }) => bitrate));
  const visibleSamples = samples.filter(({ at }) => at >= from && at <= to);
  const x = (time: number) => Math.round(((time - from) / Math.max(1, to - from)) * 1_000);
  const y = (bitrate: number) => Math.round(100 - (bitrate / maxBitrate) * 92);
  const pathCommands: string[] = [];
  let lastSample: BitrateSample | undefined;
  for (const sample of visibleSamples) {
    const isContinuous =
      lastSample !== undefined && sample.at - lastSample.at <= 2.5 * Math.max(intervalMs, 5_000);
    if (lastSample && !isContinuous) pathCommands.push(`L${x(lastSample.at)} 100`);
    pathCommands.push(`${isContinuous ? 'L' : `M${x(sample.at)} 100L`}${x(sample.at)} ${y(sample.bitrate)}`);
    lastSample = sample;
  }
  if (lastSample) pathCommands.push(`L${x(lastSample.at)} 100`);
  return pathCommands.join('');
}

type TimelineTranslator = Translator<'streams.thisBroadcast'>;

export function describeNote(t: TimelineTranslator, note: SessionNote): string {
  switch (note.kind) {
    case 'gap':
      return t('gap', { time: formatDuration(note.seconds) });
    case 'slate':
      return t('slate', { time: formatDuration(note.seconds) });
    case 'switched':
      return t('switched', { input: t(`input.${note.toInput}`) });
    case 'targetFailed':
      return t('target', { name: note.target });
  }
}

/** Text alternative of the timeline: "1 gap, 1 switch, no slate". */
export function summarizeNotes(t: TimelineTranslator, notes: readonly SessionNote[]): string {
  const count = (kind: SessionNote['kind']) => notes.filter((note) => note.kind === kind).length;
  return t('summary', { gaps: count('gap'), switches: count('switched'), slates: count('slate') });
}
