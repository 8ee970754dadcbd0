'use client';

import { useEffect, useState } from 'react';

/** Thumbnail of a range of the video, as a rectangle in an image with many thumbnails. */
interface Thumbnail {
  /** Range in seconds: from `start` up to, but not including, `end`. */
  readonly start: number;
  readonly end: number;
  /** URL of the image. */
  readonly url: string;
  /** Position and size in the image, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Cue of a storyboard: a line with start and end, then one with an image URL and a rectangle in the image. */
const cuePattern = /^(\S+) --> (\S+).*\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm;

/**
 * Parses a storyboard (WebVTT) and skips malformed cues.
 * @param url URL of the storyboard, to which image paths are relative
 */
export function parseStoryboard(text: string, url: string): Thumbnail[] {
  return [...text.replaceAll('\r\n', '\n').matchAll(cuePattern)].flatMap(
    ([, startText, endText, imagePath, ...rectangle]) => {
      const [start, end] = [parseTimecode(startText ?? ''), parseTimecode(endText ?? '')];
      const [x = 0, y = 0, width = 0, height = 0] = rectangle.map(Number);
      // A malformed time is NaN, for which this comparison is false.
      if (!(end > start) || width === 0 || height === 0) return [];
      return [{ start, end, url: new URL(imagePath ?? '', url).href, x, y, width, height }];
    },
  );
}

/** Seconds of "01:02:03.500", in which the hours are optional; NaN for an invalid time. */
function parseTimecode(timecode: string): number {
  return timecode.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** Thumbnail for a time; the last one for later times; null without thumbnails. */
export function thumbnailAt(thumbnails: readonly Thumbnail[], seconds: number): Thumbnail | null {
  return thumbnails.find(({ end }) => seconds < end) ?? thumbnails.at(-1) ?? null;
}

/** Where the pointer is over the seek bar. */
export interface SeekBarHover {
  /** Time in the video at the pointer. */
  readonly seconds: number;
  /** Position of the pointer as a fraction of the width of the bar, from the left. */
  readonly fraction: number;
}

interface SeekPreviewProps {
  /** Null while the pointer is outside the bar. */
  hover: SeekBarHover | null;
  /** The time at the pointer as text. */
  label: string;
  /** Title of the chapter at the pointer; undefined without one. */
  title: string | undefined;
  /** URL of the storyboard, which has the thumbnails; null = there is none. */
  storyboard: string | null;
}

/** Thumbnail, chapter and time at the pointer. */
export default function SeekPreview({ hover, label, title, storyboard }: SeekPreviewProps) {
  const thumbnails = useThumbnails(storyboard);
  if (!hover) return null;
  const thumbnail = thumbnailAt(thumbnails, hover.seconds);
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute bottom-6 z-10 grid -translate-x-1/2 justify-items-center gap-1"
      // Half of a thumbnail is 5rem (80 px) wide, so the preview stays inside the bar.
      style={{ left: `clamp(5rem, ${hover.fraction * 100}%, calc(100% - 5rem))` }}
    >
      {thumbnail && (
        <div
          data-thumbnail
          className="rounded-md bg-black ring-1 ring-white/30"
          style={{
            width: thumbnail.width,
            height: thumbnail.height,
            background: `url("${thumbnail.url}") -${thumbnail.x}px -${thumbnail.y}px`,
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

/** Thumbnails of a storyboard; empty while it loads, and if it cannot be loaded. */
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
