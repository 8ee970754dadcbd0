'use client';

import { useEffect, useState } from 'react';

/** Thumbnail of the timeline, as part of a sprite sheet. */
interface Thumbnail {
  /** Range in seconds: from `begin` up to, but not including, `end`. */
  readonly begin: number;
  readonly end: number;
  readonly url: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const cuePattern = /^(\S+) --> (\S+).*\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm;

/**
 * Parses a storyboard (WebVTT) and skips malformed cues.
 * @param url URL of the storyboard, to which image paths are relative
 */
export function parseStoryboard(text: string, url: string): Thumbnail[] {
  return [...text.replaceAll('\r\n', '\n').matchAll(cuePattern)].flatMap(([, from, to, sheet, ...part]) => {
    const [begin, end] = [parseTimecode(from ?? ''), parseTimecode(to ?? '')];
    const [x = 0, y = 0, width = 0, height = 0] = part.map(Number);
    if (!(end > begin) || width === 0 || height === 0) return [];
    return [{ begin, end, url: new URL(sheet ?? '', url).href, x, y, width, height }];
  });
}

/** Parses "01:02:03.500"; hours are optional. */
function parseTimecode(timecode: string): number {
  return timecode.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** Thumbnail for a time. The last thumbnail is used for every later time. */
export function thumbnailAt(thumbnails: readonly Thumbnail[], seconds: number): Thumbnail | null {
  return thumbnails.find(({ end }) => seconds < end) ?? thumbnails.at(-1) ?? null;
}

interface SeekPreviewProps {
  /** Pointer position: `at` in seconds, `left` as a fraction of the width; null while the pointer is outside the bar. */
  hover: { at: number; left: number } | null;
  label: string;
  /** Title of the chapter at the pointer; undefined without one. */
  title: string | undefined;
  /** URL of the preview thumbnails; null = there are none. */
  storyboard: string | null;
}

/** Thumbnail, chapter and time at the pointer. */
export default function SeekPreview({ hover, label, title, storyboard }: SeekPreviewProps) {
  const thumbnails = useThumbnails(storyboard);
  if (!hover) return null;
  const picture = thumbnailAt(thumbnails, hover.at);
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute bottom-6 z-10 grid -translate-x-1/2 justify-items-center gap-1"
      style={{ left: `clamp(5rem, ${hover.left * 100}%, calc(100% - 5rem))` }}
    >
      {picture && (
        <div
          data-thumbnail
          className="rounded-md bg-black ring-1 ring-white/30"
          style={{
            width: picture.width,
            height: picture.height,
            background: `url("${picture.url}") -${picture.x}px -${picture.y}px`,
          }}
        />
      )}
      {title !== undefined && (
        <span className="max-w-40 truncate rounded-sm bg-black/80 px-1.5 text-xs leading-5 text-white">
          {title}
        </span>
      )}
      <span className="rounded-sm bg-black/80 px-1.5 font-mono text-xs leading-5 text-white">{label}</span>
    </div>
  );
}

/** Loads the storyboard. If it cannot be loaded, there are no thumbnails. */
function useThumbnails(url: string | null): readonly Thumbnail[] {
  const [thumbnails, setThumbnails] = useState<readonly Thumbnail[]>([]);
  useEffect(() => {
    if (url === null) return;
    const controller = new AbortController();
    void fetch(url, { credentials: 'omit', signal: controller.signal })
      .then(async (response) => (response.ok ? parseStoryboard(await response.text(), url) : []))
      .then(setThumbnails)
      .catch(() => undefined);
    return () => controller.abort();
  }, [url]);
  return thumbnails;
}
