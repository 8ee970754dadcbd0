import { minuteMs, hourMs, hourSeconds } from '@/lib/core/units';
import type { Chapter } from './chapters';
import { wholeMilliseconds } from './file-chapters';

/** Chapters as typed lines. Separate from chapters.ts, which every player loads. */

/** Chapters typed by a person, one per line: "4:05 The weir". */
export type WrittenChapters =
  | { readonly chapters: readonly Chapter[] }
  /** Number of the invalid line, from 1, and its problem. */
  | { readonly line: number; readonly problem: 'no_time' | 'no_title' | 'not_later' | 'after_end' };

const chapterLine = /^(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d(?:\.\d{1,3})?)(?:\s*[-–—:]\s+|\s+|$)(.*)$/;

/** @param duration of the video in seconds; null = unknown */
export function readChapters(text: string, duration: number | null): WrittenChapters {
  const chapters: Chapter[] = [];
  for (const [index, each] of text.split('\n').entries()) {
    const line = index + 1;
    if (each.trim() === '') continue;
    const [fullMatch, hours = '0', minutes, seconds, title = ''] = chapterLine.exec(each.trim()) ?? [];
    if (fullMatch === undefined) return { line, problem: 'no_time' };
    const start = wholeMilliseconds(Number(hours) * hourSeconds + Number(minutes) * 60 + Number(seconds));
    if (title.trim() === '') return { line, problem: 'no_title' };
    if (start <= (chapters.at(-1)?.start ?? -1)) return { line, problem: 'not_later' };
    if (duration !== null && start >= duration) return { line, problem: 'after_end' };
    chapters.push({ start, title: title.trim() });
  }
  return { chapters };
}

/** Writes stored chapters as editable lines. */
export function writeChapters(chapters: readonly Chapter[]): string {
  return chapters.map(({ start, title }) => `${timeOf(start)} ${title}`).join('\n');
}

/** "4:05", "1:04:05.500" */
function timeOf(start: number): string {
  const ms = Math.round(start * 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, seconds] = [
    Math.floor(ms / hourMs),
    Math.floor(ms / minuteMs) % 60,
    Math.floor(ms / 1_000) % 60,
  ];
  const millisecondText = ms % 1_000 === 0 ? '' : `.${String(ms % 1_000).padStart(3, '0')}`;
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds)}${millisecondText}`;
}
