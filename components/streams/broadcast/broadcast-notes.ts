import type { Translator } from '@/components/i18n/messages';
import { formatDuration } from '@/components/ui/time-text';
import { textIn } from '@/components/streams/activity/event-payload';
import type { StreamEvent } from '@/lib/contract/webhooks/event-endpoints';
import type { BroadcastEvent, OnAirPeriod } from '@/lib/core/streams/broadcast-history';
import { type ProgramInput, programInputs } from '@/lib/core/streams/program-state';

/** An incident of a session with its time, in Unix milliseconds. */
export type BroadcastNote =
  | { readonly at: number; readonly kind: 'gap' | 'slate'; readonly seconds: number }
  | { readonly at: number; readonly kind: 'switched'; readonly to: ProgramInput }
  | { readonly at: number; readonly kind: 'target'; readonly target: string };

/** Changes of the program according to the events of the stream. */
export function programEvents(events: readonly StreamEvent[]): readonly BroadcastEvent[] {
  return events.flatMap(({ event, createdAt: at, payload }): BroadcastEvent[] => {
    if (event === 'stream.slate_started') return [{ at, name: 'slateStarted' }];
    if (event === 'stream.slate_ended') return [{ at, name: 'slateEnded' }];
    if (event !== 'stream.switched') return [];
    const name = textIn(payload, 'to');
    const to = programInputs.find((input) => input === name);
    return to ? [{ at, name: 'switched', to }] : [];
  });
}

/** Shortest gap that is listed, in seconds. Shorter gaps are switches between two inputs. */
const MIN_GAP_SECONDS = 2;

/**
 * Gaps, switches, slates and failed targets, oldest first.
 * @param startsAt start of the session, in Unix milliseconds
 */
export function createNotes(
  periods: readonly OnAirPeriod[],
  events: readonly StreamEvent[],
  startsAt: number,
): readonly BroadcastNote[] {
  let encoder: ProgramInput | null = null;
  const notes: BroadcastNote[] = [];
  for (const period of periods) {
    const { input, from: at } = period;
    const seconds = (period.to - at) / 1_000;
    if (input === 'slate') notes.push({ at, kind: 'slate', seconds });
    else if (input === null) {
      if (seconds >= MIN_GAP_SECONDS) notes.push({ at, kind: 'gap', seconds });
    } else {
      if (encoder !== null && encoder !== input) notes.push({ at, kind: 'switched', to: input });
      encoder = input;
    }
  }
  for (const { event, createdAt: at, payload } of events) {
    if (event !== 'multistream.error' || at < startsAt) continue;
    const target = textIn(payload, 'target', 'name');
    if (target !== undefined) notes.push({ at, kind: 'target', target });
  }
  return notes.sort((note, other) => note.at - other.at);
}

interface BitrateSample {
  readonly at: number;
  readonly bitrate: number;
}

/** SVG path of the bitrate as an area, 1,000 wide and 100 high. The bitrate is zero where nothing was measured. */
export function bitratePath(
  samples: readonly BitrateSample[],
  { from, to, intervalMs }: { readonly from: number; readonly to: number; readonly intervalMs: number },
): string {
  const maxBitrate = Math.max(1, ...samples.map(({ bitrate }) => bitrate));
  const visibleSamples = samples.filter(({ at }) => at >= from && at <= to);
  const x = (time: number) => Math.round(((time - from) / Math.max(1, to - from)) * 1_000);
  const y = (bitrate: number) => Math.round(100 - (bitrate / maxBitrate) * 92);
  const parts: string[] = [];
  let lastSample: BitrateSample | undefined;
  for (const sample of visibleSamples) {
    const isContinuous =
      lastSample !== undefined && sample.at - lastSample.at <= 2.5 * Math.max(intervalMs, 5_000);
    if (lastSample && !isContinuous) parts.push(`L${x(lastSample.at)} 100`);
    parts.push(`${isContinuous ? 'L' : `M${x(sample.at)} 100L`}${x(sample.at)} ${y(sample.bitrate)}`);
    lastSample = sample;
  }
  if (lastSample) parts.push(`L${x(lastSample.at)} 100`);
  return parts.join('');
}

type BroadcastTranslator = Translator<'streams.thisBroadcast'>;

export function describeNote(t: BroadcastTranslator, note: BroadcastNote): string {
  switch (note.kind) {
    case 'gap':
      return t('gap', { time: formatDuration(note.seconds) });
    case 'slate':
      return t('slate', { time: formatDuration(note.seconds) });
    case 'switched':
      return t('switched', { input: t(`input.${note.to}`) });
    case 'target':
      return t('target', { name: note.target });
  }
}

/** Text alternative of the timeline. */
export function summaryOf(t: BroadcastTranslator, notes: readonly BroadcastNote[]): string {
  const count = (kind: BroadcastNote['kind']) => notes.filter((note) => note.kind === kind).length;
  return t('summary', { gaps: count('gap'), switches: count('switched'), slates: count('slate') });
}
