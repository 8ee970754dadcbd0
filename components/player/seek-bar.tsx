'use client';

import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react';
import { seekBy, seekTo } from './media-actions';
import { useMediaValue } from './playback-hooks';
import { ARROW_SEEK_S } from './shortcuts';
import { bufferedUntil, momentInWords, type Timeline, timelineOf } from './timeline';

/** One small picture of the timeline: a part of a sheet. */
interface Thumbnail {
  /** Seconds; from `begin` up to, but not including, `end`. */
  readonly begin: number;
  readonly end: number;
  readonly url: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const cue = /^(\S+) --> (\S+).*\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm;

/**
 * Reads a storyboard (WebVTT); what makes no sense in it is left out. @param url of the file: sheets are named beside
 * it
 */
export function parseStoryboard(text: string, url: string): Thumbnail[] {
  return [...text.replaceAll('\r\n', '\n').matchAll(cue)].flatMap(([, from, to, sheet, ...part]) => {
    const [begin, end] = [secondsOf(from ?? ''), secondsOf(to ?? '')];
    const [x = 0, y = 0, width = 0, height = 0] = part.map(Number);
    if (!(end > begin) || width === 0 || height === 0) return [];
    return [{ begin, end, url: new URL(sheet ?? '', url).href, x, y, width, height }];
  });
}

/** "01:02:03.500", hours may be left out. */
function secondsOf(clock: string): number {
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** The image for a time; the last one covers everything after it. */
export function thumbnailAt(thumbnails: readonly Thumbnail[], seconds: number): Thumbnail | null {
  return thumbnails.find(({ end }) => seconds < end) ?? thumbnails.at(-1) ?? null;
}

interface SeekBarProps {
  video: HTMLVideoElement;
  /** Address of the small pictures of the timeline; null = there are none. */
  storyboard: string | null;
  /** The viewer is at the live edge, which is a little ahead of the picture. */
  atLive: boolean;
  onLive: () => void;
}

const MOVING = 'timeupdate seeking seeked progress durationchange loadedmetadata';

/** Where in the video, or in the window of a live stream, the viewer is; a drag, a click or an arrow goes elsewhere. */
export function SeekBar({ video, storyboard, atLive, onLive }: SeekBarProps) {
  const start = useMediaValue(video, MOVING, (each) => timelineOf(each)?.start ?? -1, -1);
  const end = useMediaValue(video, MOVING, (each) => timelineOf(each)?.end ?? -1, -1);
  const live = useMediaValue(video, MOVING, (each) => timelineOf(each)?.live ?? false, false);
  const shown = useMediaValue(video, MOVING, (each) => each.currentTime, 0);
  const loaded = useMediaValue(video, MOVING, bufferedUntil, 0);
  const [hover, setHover] = useState<{ at: number; left: number } | null>(null);
  const [pointed, setPointed] = useState(false);
  const thumbnails = useThumbnails(pointed ? storyboard : null);
  if (end <= start) return null;
  const timeline = { start, end, live };
  const now = live && atLive ? end : shown;
  const share = (at: number) => `${Math.min(100, Math.max(0, ((at - start) / (end - start)) * 100))}%`;
  const point = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    setHover({ at: start + part * (end - start), left: part });
  };
  return (
    <div
      className="group/seek relative flex h-5 items-center pointer-coarse:-my-3 pointer-coarse:h-11"
      onPointerEnter={() => setPointed(true)}
      onPointerMove={point}
      onPointerLeave={() => setHover(null)}
    >
      {hover && <Preview hover={hover} label={momentInWords(timeline, hover.at)} thumbnails={thumbnails} />}
      <div className="absolute inset-x-0 h-1 overflow-hidden rounded-full bg-white/25 group-hover/seek:h-1.5">
        <div className="absolute inset-y-0 left-0 bg-white/35" style={{ width: share(loaded) }} />
        <div className="absolute inset-y-0 left-0 bg-[#5cc8c3]" style={{ width: share(now) }} />
      </div>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={momentInWords(timeline, now)}
        min={start}
        max={end}
        step={0.1}
        value={Math.min(end, Math.max(start, now))}
        onChange={(event) => seekTo(video, Number(event.target.value))}
        onKeyDown={(event) => seekByKey(event, video, timeline, onLive)}
        className="absolute inset-x-0 h-full w-full cursor-pointer appearance-none bg-transparent focus-visible:outline-white [&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-white [&::-webkit-slider-thumb]:size-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-white"
      />
    </div>
  );
}

/** The same steps as everywhere in the player; the slider's own would not move it, or end after the live edge. */
function seekByKey(
  event: KeyboardEvent,
  video: HTMLVideoElement,
  timeline: Timeline,
  onLive: () => void,
): void {
  const steps: Readonly<Record<string, () => void>> = {
    ArrowRight: () => seekBy(video, ARROW_SEEK_S),
    ArrowUp: () => seekBy(video, ARROW_SEEK_S),
    ArrowLeft: () => seekBy(video, -ARROW_SEEK_S),
    ArrowDown: () => seekBy(video, -ARROW_SEEK_S),
    Home: () => seekTo(video, timeline.start),
    End: () => (timeline.live ? onLive() : seekTo(video, timeline.end)),
  };
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  step();
}

interface PreviewProps {
  hover: { at: number; left: number };
  label: string;
  thumbnails: readonly Thumbnail[];
}

function Preview({ hover, label, thumbnails }: PreviewProps) {
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
      <span className="rounded-sm bg-black/80 px-1.5 font-mono text-xs leading-5 text-white">{label}</span>
    </div>
  );
}

/** The storyboard, fetched when the pointer first enters the bar; the bar works without it. */
function useThumbnails(url: string | null): readonly Thumbnail[] {
  const [thumbnails, setThumbnails] = useState<readonly Thumbnail[]>([]);
  useEffect(() => {
    if (url === null) return;
    const closing = new AbortController();
    void fetch(url, { credentials: 'omit', signal: closing.signal })
      .then(async (response) => (response.ok ? parseStoryboard(await response.text(), url) : []))
      .then(setThumbnails)
      .catch(() => undefined);
    return () => closing.abort();
  }, [url]);
  return thumbnails;
}
