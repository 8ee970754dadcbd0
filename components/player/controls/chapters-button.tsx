'use client';

import { ChevronRight } from 'lucide-react';
import { useRef } from 'react';
import { clsx } from 'clsx';
import { useTranslations } from 'use-intl';
import type { Chapter } from '@/lib/core/assets/chapters';
import { useMediaValue } from '../engine/playback-hooks';
import { seekTo } from '../video/media-actions';
import { formatTimecode } from '../video/timecode';
import { StagePopover } from './stage-popover';

interface ChaptersButtonProps {
  video: HTMLVideoElement;
  /** Root element of the player. */
  stage: HTMLElement;
  /** Chapters in order, at least one. */
  chapters: readonly Chapter[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Button with the title of the current chapter, which opens the list of all chapters. */
export default function ChaptersButton(props: ChaptersButtonProps) {
  const { video, stage, chapters, open, onOpenChange } = props;
  const t = useTranslations('player.bar');
  const button = useRef<HTMLButtonElement>(null);
  const currentIndex = useMediaValue(
    video,
    'timeupdate seeked',
    ({ currentTime }) => chapters.findLastIndex(({ start }) => start <= currentTime),
    -1,
  );
  const title = chapters[currentIndex]?.title;
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={title === undefined ? t('chapters') : t('chapter', { title })}
        aria-expanded={open}
        onClick={() => onOpenChange(!open)}
        className="inline-flex h-7 min-w-0 items-center gap-0.5 rounded-md px-1.5 text-xs text-white/80 hover:bg-white/15 focus-visible:outline-white pointer-coarse:h-11"
      >
        <span className="truncate">{title ?? t('chapters')}</span>
        <ChevronRight aria-hidden="true" className="size-3.5 shrink-0" />
      </button>
      {open && (
        <StagePopover
          label={t('chapters')}
          anchor={button}
          stage={stage}
          align="start"
          onOpenChange={onOpenChange}
          className="w-72 max-w-[calc(100vw-2rem)]"
        >
          <ol>
            {chapters.map((chapter, index) => (
              <li key={chapter.start}>
                <button
                  type="button"
                  aria-current={index === currentIndex ? 'true' : undefined}
                  onClick={() => {
                    seekTo(video, chapter.start);
                    onOpenChange(false);
                  }}
                  className={clsx(
                    'hover:bg-hover flex min-h-9 w-full items-baseline gap-3 rounded-sm px-2 py-1.5 text-left pointer-coarse:min-h-11',
                    index === currentIndex && 'bg-hover font-medium',
                  )}
                >
                  <span className="text-ink-3 shrink-0 font-mono text-xs tabular-nums">
                    {formatTimecode(chapter.start)}
                  </span>
                  <span className="min-w-0 wrap-anywhere">{chapter.title}</span>
                </button>
              </li>
            ))}
          </ol>
        </StagePopover>
      )}
    </>
  );
}
