'use client';

import { useTranslations } from 'use-intl';
import { clipKeys } from '@/components/palette/page-keys';
import { usePageKeys } from '@/components/palette/use-page-keys';
import { formatPosition } from '@/components/player/video/timeline';
import { formatTimecode } from '../player/video/timecode';
import { Button } from '@/components/ui/button';
import { type ClipBounds, type ClipDraft, handleRange, withEnd, withStart } from './clip-draft';

interface ClipHandlesProps {
  video: HTMLVideoElement;
  bounds: ClipBounds;
  draft: ClipDraft;
  /**
   * Sets the clip.
   * @param position seconds to which the player seeks
   */
  changeDraft: (draft: ClipDraft, position: number) => void;
}

/** Two sliders on one line, and buttons that set them to the player's position. */
export function ClipHandles({ video, bounds, draft, changeDraft }: ClipHandlesProps) {
  const t = useTranslations('clips.editor');
  const range = handleRange(draft, bounds);
  // The divisor is at least 0.1, so that an empty range does not divide by zero.
  const percentAt = (seconds: number) =>
    `${((seconds - range.min) / Math.max(0.1, range.max - range.min)) * 100}%`;
  const positionText = (seconds: number) =>
    formatPosition({ start: bounds.min, end: bounds.max, live: !Number.isFinite(video.duration) }, seconds);
  const moveStart = (seconds: number) => {
    const newDraft = withStart(draft, seconds, bounds);
    changeDraft(newDraft, newDraft.start);
  };
  const moveEnd = (seconds: number) => {
    const newDraft = withEnd(draft, seconds, bounds);
    changeDraft(newDraft, newDraft.end);
  };
  usePageKeys(
    (key) => {
      if (key === clipKeys.start) moveStart(video.currentTime);
      if (key === clipKeys.end) moveEnd(video.currentTime);
    },
    { inPlayer: true },
  );
  const handles = [
    { label: t('start'), position: draft.start, move: moveStart },
    { label: t('end'), position: draft.end, move: moveEnd },
  ];
  return (
    <div className="grid gap-3">
      <div className="relative h-8">
        <div className="bg-sunken absolute inset-x-0 top-3 h-2 rounded-full border" />
        <div
          className="bg-accent absolute top-3 h-2 rounded-full"
          style={{ left: percentAt(draft.start), right: `calc(100% - ${percentAt(draft.end)})` }}
        />
        {handles.map(({ label, position, move }) => (
          <input
            key={label}
            type="range"
            aria-label={label}
            aria-valuetext={positionText(position)}
            min={range.min}
            max={range.max}
            step={0.05}
            value={position}
            onChange={(event) => move(Number(event.target.value))}
            // Only the thumbs receive pointer events, so that no track covers the other thumb.
            className="accent-accent pointer-events-none absolute inset-x-0 top-0 h-8 w-full appearance-none bg-transparent [&::-moz-range-thumb]:pointer-events-auto [&::-moz-range-thumb]:h-7 [&::-moz-range-thumb]:w-3.5 [&::-moz-range-thumb]:rounded-sm [&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:bg-(--color-accent) [&::-webkit-slider-thumb]:pointer-events-auto [&::-webkit-slider-thumb]:h-7 [&::-webkit-slider-thumb]:w-3.5 [&::-webkit-slider-thumb]:cursor-ew-resize [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-sm [&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-(--color-surface) [&::-webkit-slider-thumb]:bg-(--color-accent)"
          />
        ))}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="flex items-center gap-2">
          <span className="font-mono tabular-nums">{positionText(draft.start)}</span>
          <Button size="sm" aria-keyshortcuts={clipKeys.start} onClick={() => moveStart(video.currentTime)}>
            {t('startHere')}
          </Button>
        </span>
        <span className="text-ink-2 tabular-nums max-sm:order-last max-sm:w-full max-sm:text-center">
          {t('length', { length: formatTimecode(draft.end - draft.start) })}
        </span>
        <span className="flex items-center gap-2">
          <Button size="sm" aria-keyshortcuts={clipKeys.end} onClick={() => moveEnd(video.currentTime)}>
            {t('endHere')}
          </Button>
          <span className="font-mono tabular-nums">{positionText(draft.end)}</span>
        </span>
      </div>
    </div>
  );
}
