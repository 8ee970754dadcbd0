'use client';

import { ListVideo } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useMediaValue } from '@/components/player/engine/playback-hooks';
import { seekTo } from '@/components/player/video/media-actions';
import { formatTimecode } from '../player/video/timecode';
import { IfPermitted } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Panel } from '@/components/ui/panel';
import type { Chapter } from '@/lib/core/assets/chapters';

interface ChapterListProps {
  chapters: readonly Chapter[];
  /** Duration of the video in seconds. */
  duration: number;
  /** The video element of the player; null before it is created. */
  video: HTMLVideoElement | null;
  /** Opens the form with the chapters. */
  onEdit: () => void;
}

/** Chapters of an asset. The current one is marked, and a click seeks in the player. */
export function ChapterList({ chapters, duration, video, onEdit }: ChapterListProps) {
  const t = useTranslations('assets.chapterList');
  const isEmpty = chapters.length === 0;
  return (
    <Panel
      dense
      title={t('title')}
      description={isEmpty ? undefined : chapters.length}
      action={
        <IfPermitted>
          <Button size="sm" variant="ghost" className="-my-1 -mr-2" onClick={onEdit}>
            {isEmpty ? t('add') : t('edit')}
          </Button>
        </IfPermitted>
      }
    >
      {isEmpty ? (
        <p className="text-ink-3 flex items-center gap-3">
          <ListVideo aria-hidden="true" className="size-5 shrink-0" />
          <span>
            <span className="font-mono text-sm">0:00</span> {t('example')}
          </span>
        </p>
      ) : (
        <Chapters chapters={chapters} duration={duration} video={video} />
      )}
    </Panel>
  );
}

function Chapters({ chapters, duration, video }: Omit<ChapterListProps, 'onEdit'>) {
  const currentIndex = useMediaValue(
    video,
    'timeupdate seeked',
    ({ currentTime }) => chapters.findLastIndex(({ start }) => start <= currentTime),
    -1,
  );
  return (
    <ol className="-mx-4 -my-2 max-h-72 overflow-y-auto" onKeyDown={moveFocus}>
      {chapters.map(({ start, title }, index) => {
        const isCurrent = index === currentIndex;
        return (
          <li key={start}>
            <button
              type="button"
              disabled={video === null}
              aria-current={isCurrent ? 'true' : undefined}
              onClick={() => video && seekTo(video, start)}
              className={cn(
                'hover:bg-hover flex min-h-9 w-full items-baseline gap-3 px-4 py-1.5 text-left -outline-offset-2 pointer-coarse:min-h-11',
                isCurrent && 'bg-accent-soft hover:bg-accent-soft font-medium',
              )}
            >
              <span
                className={cn(
                  'w-14 shrink-0 font-mono text-sm tabular-nums',
                  isCurrent ? 'text-accent-ink' : 'text-ink-2',
                )}
              >
                {formatTimecode(start)}
              </span>
              <span className="min-w-0 flex-1 wrap-anywhere">{title}</span>
              <span className="text-ink-3 font-mono text-xs tabular-nums">
                {formatTimecode((chapters[index + 1]?.start ?? duration) - start)}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** Moves the focus with the arrow keys, as in other lists. Enter seeks, because the entries are buttons. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const next = buttons[buttons.findIndex((button) => button === document.activeElement) + step];
  // Otherwise the list scrolls, and the player changes its volume.
  event.preventDefault();
  event.stopPropagation();
  next?.focus();
}
