import { DAY_MS } from '@/lib/core/units';
import type { Translator } from '@/components/i18n/messages';
import { formatDecimal } from '@/components/ui/figures';
import type { Audience, Incident } from '@/lib/contract/audience/audience';
import type { Language } from '@/messages/languages';

/** Object whose audience is shown: a stream, an asset or a session; empty: the whole team. */
export interface AudienceScope {
  readonly streamId?: string;
  readonly sessionId?: string;
  readonly assetId?: string;
}

const listPaths = { stream: 'streams', session: 'sessions', asset: 'assets' } as const;

/** Path of the audience of a stream, session or asset. */
export const audiencePath = ({ type, id }: { type: keyof typeof listPaths; id: string }): string =>
  `/${listPaths[type]}/${id}?tab=audience`;

/** Selectable spans of time up to now, in minutes for the query of the API; null: the whole session. */
export const audienceSpans = [
  { name: 'session', minutes: null },
  { name: 'hour', minutes: '60' },
  { name: 'day', minutes: '1440' },
  { name: 'week', minutes: '10080' },
  { name: 'month', minutes: '43200' },
  { name: 'quarter', minutes: '129600' },
] as const;

export type SpanName = (typeof audienceSpans)[number]['name'];

/** Whether a span of time (Unix milliseconds) needs dates beside its clock times. */
export const coversDays = ({ from, to }: Pick<Audience, 'from' | 'to'>): boolean => to - from > 2 * DAY_MS;

/** Indexes of values between two gaps, which a line without points would not show. */
export function isolatedIndexes(values: readonly (number | null | undefined)[]): number[] {
  const isGap = (index: number) => (values[index] ?? null) === null;
  return [...values.keys()].filter((index) => !isGap(index) && isGap(index - 1) && isGap(index + 1));
}

/** Formats a duration in milliseconds: "0.9 s", "48 s", "2 min 42 s". */
export function formatMilliseconds(ms: number, language: Language): string {
  // From 9.95 s, one decimal would be rounded to 10.0.
  if (ms < 9_950) return `${formatDecimal(ms / 1_000, 1, language)} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Formats a fraction as percent: "< 0.1 %", "0.8 %", "25 %". */
export function formatShare(share: number, language: Language): string {
  const percent = share * 100;
  // A small share must not be shown as 0 %.
  if (percent > 0 && percent < 0.05) return `< ${formatDecimal(0.1, 1, language)} %`;
  return `${formatDecimal(percent, percent > 0 && percent < 9.95 ? 1 : 0, language)} %`;
}

/** Describes why viewers stalled, and how many viewers did. */
export function describeIncident(
  t: Translator<'audience.causes'>,
  { cause, measure, stalledViews, viewers }: Omit<Incident, 'object'>,
  language: Language,
): string {
  // The measure is a time in ms for some causes and a fraction for others. Each sentence contains only one of them.
  return t(`sentence.${cause}`, {
    time: formatMilliseconds(measure ?? 0, language),
    percent: Math.round((measure ?? 0) * 100),
    views: stalledViews,
    // More views than viewers can stall, because viewers leave while others join.
    viewers: Math.max(viewers, stalledViews),
  });
}
