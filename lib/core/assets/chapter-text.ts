import { MINUTE_MS, HOUR_MS, HOUR_SECONDS } from '@/lib/core/units';
import type { Chapter } from './chapters';
import { roundToMilliseconds } from './file-chapters';

/** Chapters as lines of text. Kept out of chapters.ts so that players do not load the parser. */

/** Result of parsing typed chapters: the chapters, or the first invalid line. A line looks like `4:05 The weir`. */
export type ChapterParseResult =
  | { readonly chapters: readonly Chapter[] }
  /** Number of the invalid line, from 1, and its problem. */
  | { readonly line: number; readonly problem: 'no_time' | 'no_title' | 'not_later' | 'after_end' };

/** `[h:]mm:ss[.fff]`, an optional dash or colon, then the title. */
const chapterLinePattern = /^(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d(?:\.\d{1,3})?)(?:\s*[-–—:]\s+|\s+|$)(.*)$/;

/**
 * Parses chapters that a person typed. Empty lines are skipped.
 * @param durationSeconds duration of the video; null if unknown
 */
export function parseChapterText(text: string, durationSeconds: number | null): ChapterParseResult {
  const chapters: Chapter[] = [];
  for (const [index, textLine] of text.split('\n').entries()) {
    const line = index + 1;
    if (textLine.trim() === '') continue;
    const [fullMatch, hours = '0', minutes, seconds, title = ''] =
      chapterLinePattern.exec(textLine.trim()) ?? [];
    if (fullMatch === undefined) return { line, problem: 'no_time' };
    const start = roundToMilliseconds(Number(hours) * HOUR_SECONDS + Number(minutes) * 60 + Number(seconds));
    if (title.trim() === '') return { line, problem: 'no_title' };
    if (start <= (chapters.at(-1)?.start ?? -1)) return { line, problem: 'not_later' };
    if (durationSeconds !== null && start >= durationSeconds) return { line, problem: 'after_end' };
    chapters.push({ start, title: title.trim() });
  }
  return { chapters };
}

/** Formats stored chapters as lines that a person can edit. */
export function formatChapterText(chapters: readonly Chapter[]): string {
  return chapters.map(({ start, title }) => `${formatTime(start)} ${title}`).join('\n');
}

/** Formats a time in seconds, such as "4:05" and "1:04:05.500". */
function formatTime(totalSeconds: number): string {
  const ms = Math.round(totalSeconds * 1_000);
  const pad = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, seconds] = [
    Math.floor(ms / HOUR_MS),
    Math.floor(ms / MINUTE_MS) % 60,
    Math.floor(ms / 1_000) % 60,
  ];
  const fraction = ms % 1_000 === 0 ? '' : `.${String(ms % 1_000).padStart(3, '0')}`;
  return `${hours > 0 ? `${hours}:${pad(minutes)}` : minutes}:${pad(seconds)}${fraction}`;
}
