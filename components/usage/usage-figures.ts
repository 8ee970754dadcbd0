import { DAY_MS } from '@/lib/core/units';
import type { Usage } from '@/lib/contract/accounts/usage';
import type { Language } from '@/messages/languages';

export type UsageDay = Usage['days'][number];

/** Figures of the first chart: minutes received live, transcoded and imported. */
export const usageKinds = [
  'ingestedMinutes',
  'transcodedMinutes',
  'importedMinutes',
] as const satisfies readonly UsageFigure[];

/** Name of a figure of a day. */
export type UsageFigure = Exclude<keyof UsageDay, 'date'>;

/** Selectable periods in days, up to today. */
export const usageSpans = ['7', '30', '90', '365'] as const;

const DEFAULT_DAYS = 30;

/** The period in the URL, in days; 30 for invalid values. */
export function parseDays(text: string | null): number {
  return Number(usageSpans.find((value) => value === text) ?? DEFAULT_DAYS);
}

/**
 * The query of GET /api/user/usage for the last `days` days.
 * @param now Unix milliseconds
 */
export function usageQuery(days: number, now: number): { from: string; to: string } {
  const date = (unixMs: number) => new Date(unixMs).toISOString().slice(0, 10);
  return { from: date(now - (days - 1) * DAY_MS), to: date(now) };
}

/** Sum of a figure of all days. */
export function totalOf(days: readonly UsageDay[], figure: UsageFigure): number {
  return days.reduce((sum, day) => sum + day[figure], 0);
}

/** Formats minutes: "61.5", "1,204". */
export function formatMinutes(locale: Language, minutes: number): string {
  return minutes.toLocaleString(locale, { maximumFractionDigits: minutes < 100 ? 1 : 0 });
}

/** Values of a stacked chart: for each kind, its minutes plus the minutes of the kinds below it. */
export function stackDays(days: readonly UsageDay[]): number[][] {
  return usageKinds.map((_, index) =>
    days.map((day) => usageKinds.slice(0, index + 1).reduce((sum, kind) => sum + day[kind], 0)),
  );
}

/** Columns of the CSV after the date. */
const csvFigures = [
  ['live_minutes', 'ingestedMinutes'],
  ['transcoded_minutes', 'transcodedMinutes'],
  ['imported_minutes', 'importedMinutes'],
  ['delivered_minutes', 'deliveredMinutes'],
  ['delivered_bytes', 'deliveredBytes'],
] as const satisfies readonly (readonly [name: string, figure: UsageFigure])[];

/** Usage as CSV with a header line (RFC 4180). */
export function usageCsv(days: readonly UsageDay[]): string {
  const rows = [
    ['date', ...csvFigures.map(([name]) => name)],
    ...days.map((day) => [day.date, ...csvFigures.map(([, figure]) => String(day[figure]))]),
  ];
  return rows.map((row) => `${row.join(',')}\r\n`).join('');
}
