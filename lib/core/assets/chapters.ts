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
    const start = wholeMilliseconds(Number(start_time ?? Number.NaN));
    const title = cleanTitle(tags?.title ?? '');
    if (start >= 0 && start < duration && title !== '') byStart.set(start, title);
  }
  const chapters = [...byStart].map(([start, title]) => ({ start, title }));
  chapters.sort((a, b) => a.start - b.start);
  return chapters.length < 2 ? [] : chapters.slice(0, chapterLimits.count);
}

/** Seconds, to the millisecond: ffprobe says microseconds, and nobody seeks so finely. */
export const wholeMilliseconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

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
