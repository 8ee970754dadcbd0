import type { Translator } from '@/components/i18n/messages';
import { formatDuration } from '@/components/ui/time-text';
import { textIn } from '@/components/streams/activity/event-payload';
import type { StreamEvent } from '@/lib/contract/webhooks/event-endpoints';
import type { BroadcastEvent, OnAirPeriod } from '@/lib/core/streams/broadcast-history';
import { type ProgramInput, programInputs } from '@/lib/core/streams/program-state';

/** An incident of a broadcast with its time, in Unix milliseconds. */
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

/** Shorter gaps are the switch between two inputs. */
const minGapSeconds = 2;

/**
 * Gaps, switches, slates and failed targets, oldest first.
 * @param from start of the broadcast
 */
export function notesOf(
  periods: readonly OnAirPeriod[],
  events: readonly StreamEvent[],
  from: number,
): readonly BroadcastNote[] {
  let encoder: ProgramInput | null = null;
  const notes: BroadcastNote[] = [];
  for (const period of periods) {
    const { input, from: at } = period;
    const seconds = (period.to - at) / 1_000;
    if (input === 'slate') notes.push({ at, kind: 'slate', seconds });
    else if (input === null) {
      if (seconds >= minGapSeconds) notes.push({ at, kind: 'gap', seconds });
    } else {
      if (encoder !== null && encoder !== input) notes.push({ at, kind: 'switched', to: input });
      encoder = input;
    }
  }
  for (const { event, createdAt: at, payload } of events) {
    if (event !== 'multistream.error' || at < from) continue;
    const target = textIn(payload, 'target', 'name');
    if (target !== undefined) notes.push({ at, kind: 'target', target });
  }
  return notes.sort((note, other) => note.at - other.at);
}

interface Rate {
  readonly at: number;
  readonly bitrate: number;
}

/** Bitrate of the broadcast as the path of an SVG area, 1,000 wide and 100 high; zero where nothing was measured. */
export function bitratePath(
  samples: readonly Rate[],
  { from, to, interval }: { readonly from: number; readonly to: number; readonly interval: number },
): string {
  const maxBitrate = Math.max(1, ...samples.map(({ bitrate }) => bitrate));
  const inside = samples.filter(({ at }) => at >= from && at <= to);
  const x = (at: number) => Math.round(((at - from) / Math.max(1, to - from)) * 1_000);
  const y = (bitrate: number) => Math.round(100 - (bitrate / maxBitrate) * 92);
  const parts: string[] = [];
  let last: Rate | undefined;
  for (const sample of inside) {
    const follows = last !== undefined && sample.at - last.at <= 2.5 * Math.max(interval, 5_000);
    if (last && !follows) parts.push(`L${x(last.at)} 100`);
    parts.push(`${follows ? 'L' : `M${x(sample.at)} 100L`}${x(sample.at)} ${y(sample.bitrate)}`);
    last = sample;
  }
  if (last) parts.push(`L${x(last.at)} 100`);
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

/** Text alternative of the bar. */
export function summaryOf(t: BroadcastTranslator, notes: readonly BroadcastNote[]): string {
  const count = (kind: BroadcastNote['kind']) => notes.filter((note) => note.kind === kind).length;
  return t('summary', { gaps: count('gap'), switches: count('switched'), slates: count('slate') });
}
