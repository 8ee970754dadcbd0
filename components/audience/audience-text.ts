import { dayMs } from '@/lib/core/units';
import type { Translator } from '@/components/i18n/messages';
import { decimal } from '@/components/ui/figures';
import type { Audience, Incident } from '@/lib/contract/audience/audience';
import type { Language } from '@/messages/languages';

/** Stream, asset or session of an audience; empty: the whole team. */
export interface AudienceOf {
  readonly streamId?: string;
  readonly sessionId?: string;
  readonly assetId?: string;
}

/** Selectable periods in minutes; null: the duration of a session. */
export const audienceSpans = [
  { name: 'own', minutes: null },
  { name: 'hour', minutes: '60' },
  { name: 'day', minutes: '1440' },
  { name: 'week', minutes: '10080' },
  { name: 'month', minutes: '43200' },
  { name: 'quarter', minutes: '129600' },
] as const;

export type SpanName = (typeof audienceSpans)[number]['name'];

export const coversDays = ({ from, to }: Pick<Audience, 'from' | 'to'>): boolean => to - from > 2 * dayMs;

/** "0.9 s", "48 s", "2 min 42 s" */
export function formatDuration(ms: number, language: Language): string {
  if (ms < 9_950) return `${decimal(ms / 1_000, 1, language)} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** "0.8 %", "25 %" */
export function formatShare(share: number, language: Language): string {
  const percent = share * 100;
  return `${decimal(percent, percent > 0 && percent < 9.95 ? 1 : 0, language)} %`;
}

/** Describes why viewers stalled, and how many. */
export function describeIncident(
  t: Translator<'audience.causes'>,
  { cause, measure, stalledViews, viewers }: Incident,
  language: Language,
): string {
  return t(`sentence.${cause}`, {
    time: formatDuration(measure ?? 0, language),
    percent: Math.round((measure ?? 0) * 100),
    views: stalledViews,
    // Viewers may have left before others joined.
    viewers: Math.max(viewers, stalledViews),
  });
}
