'use client';

import { type PointerEvent, Suspense, lazy, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Chapter, findChapterAt } from '@/lib/core/assets/chapters';
import { seekTo } from '../video/media-actions';
import { useMediaValue } from '../engine/playback-hooks';
import { bufferedUntil, formatPosition, timelineOf } from '../video/timeline';
import type { SeekBarHover } from './seek-preview';

const SeekPreview = lazy(() => import('./seek-preview'));

interface SeekBarProps {
  video: HTMLVideoElement;
  /** URL of the storyboard, which has the thumbnails; null = there is none. */
  storyboard: string | null;
  /** Chapters in order; may be empty. */
  chapters: readonly Chapter[];
  /** Whether the viewer is at the live edge, which is slightly ahead of the displayed frame. */
  isAtLiveEdge: boolean;
}

const TIMELINE_EVENTS = 'timeupdate seeking seeked progress durationchange loadedmetadata';

/** Slider that shows the position in the video or in the window of a live stream, and seeks. */
export default function SeekBar({ video, storyboard, chapters, isAtLiveEdge }: SeekBarProps) {
  const t = useTranslations('player.bar');
  // Without a timeline, start and end are both -1, and nothing is rendered.
  const start = useMediaValue(video, TIMELINE_EVENTS, (element) => timelineOf(element)?.start ?? -1, -1);
  const end = useMediaValue(video, TIMELINE_EVENTS, (element) => timelineOf(element)?.end ?? -1, -1);
  const isLive = useMediaValue(
    video,
    TIMELINE_EVENTS,
    (element) => timelineOf(element)?.live ?? false,
    false,
  );
  const position = useMediaValue(video, TIMELINE_EVENTS, (element) => element.currentTime, 0);
  const bufferedTo = useMediaValue(video, TIMELINE_EVENTS, bufferedUntil, 0);
  const [hover, setHover] = useState<SeekBarHover | null>(null);
  // The preview is loaded when the pointer enters the bar for the first time.
  const [wasHovered, setWasHovered] = useState(false);
  if (end <= start) return null;
  const timeline = { start, end, live: isLive };
  const shownPosition = isLive && isAtLiveEdge ? end : position;
  const percentAt = (seconds: number) =>
    `${Math.min(100, Math.max(0, ((seconds - start) / (end - start)) * 100))}%`;
  const updateHover = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const fraction = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    setHover({ seconds: start + fraction * (end - start), fraction });
  };
  return (
    <div
      className="group/seek relative flex h-5 items-center pointer-coarse:-my-3 pointer-coarse:h-11"
      onPointerEnter={() => setWasHovered(true)}
      onPointerMove={updateHover}
      onPointerLeave={() => setHover(null)}
    >
      {wasHovered && (
        <Suspense fallback={null}>
          <SeekPreview
            hover={hover}
            label={hover ? formatPosition(timeline, hover.seconds) : ''}
            title={hover ? findChapterAt(chapters, hover.seconds)?.title : undefined}
            storyboard={storyboard}
          />
        </Suspense>
      )}
      <div className="absolute inset-x-0 h-1 overflow-hidden rounded-full bg-white/25 group-hover/seek:h-1.5">
        <div className="absolute inset-y-0 left-0 bg-white/35" style={{ width: percentAt(bufferedTo) }} />
        <div className="bg-accent absolute inset-y-0 left-0" style={{ width: percentAt(shownPosition) }} />
        {chapters.map(
          ({ start: chapterStart }) =>
            chapterStart > start &&
            chapterStart < end && (
              <div
                key={chapterStart}
                className="absolute inset-y-0 w-0.5 bg-black"
                style={{ left: percentAt(chapterStart) }}
              />
            ),
        )}
      </div>
      <input
        type="range"
        aria-label={t('position')}
        aria-valuetext={[
          formatPosition(timeline, shownPosition),
          findChapterAt(chapters, shownPosition)?.title,
        ]
          .filter(Boolean)
          .join(', ')}
        min={start}
        max={end}
        step={0.1}
        value={Math.min(end, Math.max(start, shownPosition))}
        onChange={(event) => seekTo(video, Number(event.target.value))}
        data-seek
        className="absolute inset-x-0 h-full w-full cursor-pointer appearance-none bg-transparent focus-visible:outline-white [&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-white [&::-webkit-slider-thumb]:size-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-white"
      />
    </div>
  );
}
