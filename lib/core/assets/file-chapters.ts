import type { ProbedChapter } from '@/lib/core/media/media-probe';
import { type Chapter, chapterLimits } from './chapters';

/**
 * Converts the chapters of a file to stored chapters, sorted by time. Chapters outside the video or without a title are left
 * out, of chapters with the same time the last one is kept, and the list is empty if only one chapter remains.
 * @param durationSeconds duration of the video
 */
export function convertFileChapters(
  probedChapters: readonly ProbedChapter[],
  durationSeconds: number,
): readonly Chapter[] {
  const titlesByStart = new Map<number, string>();
  for (const { start_time, tags } of probedChapters) {
    const start = roundToMilliseconds(Number(start_time ?? Number.NaN));
    const title = cleanTitle(tags?.title ?? '');
    if (start >= 0 && start < durationSeconds && title !== '') titlesByStart.set(start, title);
  }
  const chapters = [...titlesByStart].map(([start, title]) => ({ start, title }));
  chapters.sort((a, b) => a.start - b.start);
  return chapters.length < 2 ? [] : chapters.slice(0, chapterLimits.count);
}

/** Rounds seconds to milliseconds. ffprobe reports microseconds, which no player needs. */
export const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

/** Reduces a chapter title to one line of storable text. */
function cleanTitle(title: string): string {
  const line = title.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  // A cut may leave a lone surrogate, which can't be stored.
  return line
    .slice(0, chapterLimits.titleLength)
    .replace(/\p{Cs}$/u, '')
    .trim();
}
