import type { ProbedChapter } from '@/lib/core/media/media-probe';

/** A part of a video that has a name; it lasts until the next one begins. */
export interface Chapter {
  /** Seconds from the beginning of the video. */
  readonly start: number;
  readonly title: string;
}

export const chapterLimits = { count: 200, titleLength: 200 } as const;

/** The named chapters of a file in their order, as far as they can be stored; none for fewer than two. */
export function chaptersOfFile(probed: readonly ProbedChapter[], duration: number): readonly Chapter[] {
  const byStart = new Map<number, string>();
  for (const { start_time, tags } of probed) {
    const start = milliseconds(Number(start_time ?? Number.NaN));
    const title = cleanTitle(tags?.title ?? '');
    if (start >= 0 && start < duration && title !== '') byStart.set(start, title);
  }
  const chapters = [...byStart].map(([start, title]) => ({ start, title }));
  chapters.sort((a, b) => a.start - b.start);
  return chapters.length < 2 ? [] : chapters.slice(0, chapterLimits.count);
}

/** ffprobe says microseconds; nobody seeks so finely. */
const milliseconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

/** One line that can be stored as text. */
function cleanTitle(title: string): string {
  const line = title.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  // Half of a character that takes two units would not be text.
  return line
    .slice(0, chapterLimits.titleLength)
    .replace(/\p{Cs}$/u, '')
    .trim();
}

/** The chapter at this time; null before the first one. */
export function chapterAt(chapters: readonly Chapter[], seconds: number): Chapter | null {
  return chapters.findLast(({ start }) => start <= seconds) ?? null;
}

/** Index of the first chapter that does not begin after the one before it; -1 where all do. */
export const misplacedChapter = (chapters: readonly Chapter[]): number =>
  chapters.findIndex(({ start }, index) => index > 0 && start <= (chapters[index - 1]?.start ?? 0));

/** What a person wrote, a chapter per line: "4:05 The weir". */
export type WrittenChapters =
  | { readonly chapters: readonly Chapter[] }
  /** The line, from 1, that cannot be used, and why. */
  | { readonly line: number; readonly problem: 'no_time' | 'no_title' | 'not_later' | 'after_end' };

const written = /^(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d(?:\.\d{1,3})?)(?:\s*[-–—:]\s+|\s+|$)(.*)$/;

/** @param duration of the video in seconds; null = not known */
export function readChapters(text: string, duration: number | null): WrittenChapters {
  const chapters: Chapter[] = [];
  for (const [index, each] of text.split('\n').entries()) {
    const line = index + 1;
    if (each.trim() === '') continue;
    const [matched, hours = '0', minutes, seconds, title = ''] = written.exec(each.trim()) ?? [];
    if (matched === undefined) return { line, problem: 'no_time' };
    const start = milliseconds(Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds));
    if (title.trim() === '') return { line, problem: 'no_title' };
    if (start <= (chapters.at(-1)?.start ?? -1)) return { line, problem: 'not_later' };
    if (duration !== null && start >= duration) return { line, problem: 'after_end' };
    chapters.push({ start, title: title.trim() });
  }
  return { chapters };
}

/** The same lines for chapters that are there. */
export function writeChapters(chapters: readonly Chapter[]): string {
  return chapters.map(({ start, title }) => `${timeOf(start)} ${title}`).join('\n');
}

/** "4:05", "1:04:05.500" */
function timeOf(start: number): string {
  const ms = Math.round(start * 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1_000) % 60,
  ];
  const rest = ms % 1_000 === 0 ? '' : `.${String(ms % 1_000).padStart(3, '0')}`;
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds)}${rest}`;
}
