'use client';

import { type MouseEvent, type ReactNode, Suspense, lazy, useState } from 'react';
import { clsx } from 'clsx';
import { useTranslations } from 'use-intl';
import type { ViewerClipTarget } from '@/components/clips/viewer-clip';
import { Restart, Share } from '@/components/player/icons';
import { Player } from '@/components/player/player';
import { createRealTimeOffer } from '@/components/player/pages/embed-options';
import { seekTo } from '@/components/player/video/media-actions';
import { timelineOf } from '@/components/player/video/timeline';
import type { DvrState } from '@/components/player/video/use-dvr';
import type { SheetName } from '@/components/player/sheets/sheet';
import { usePlaybackStatus } from '@/lib/client/use-playback-status';
import type { Brand } from '@/lib/contract/accounts/brand';
import type { PublicStatus } from '@/lib/core/streams/public-status';
import type { WatchableMedia } from './find-watchable';
import type { PlaybackRestriction } from './restricted-player-content';
import { RestrictedPlayer } from './restricted-player';
import { WatchFacts } from './watch-facts';
import { watchWidth, watchWidthWithAside } from './watch-width';

const ViewerClipEditor = lazy(() => import('@/components/clips/viewer-clip'));

interface WatchStageProps {
  playbackId: string;
  baseUrl: string;
  title: string;
  src: string | null;
  poster: string | undefined;
  publicStatus: PublicStatus | undefined;
  /** Undefined for unavailable content. */
  media: WatchableMedia | undefined;
  /** Access to non-public content; undefined for public content. */
  restriction: PlaybackRestriction | undefined;
  brand: Brand | null;
  /** Logo and name of the owner, rendered on the server; false if neither is set. */
  brandLink: ReactNode;
  /** Name of the service, rendered on the server; shown without `brandLink`. */
  wordmark: ReactNode;
  /** Description by the owner, rendered on the server; null without one. */
  description: ReactNode;
  /** Chapters and recordings, rendered on the server; null without any. */
  aside: ReactNode;
  /** Start position in seconds, from the link. */
  startAt: number | undefined;
  /** Whether the link asks for playback over WebRTC. */
  requestsRealTime: boolean;
}

/** The player and its facts; in theater mode the player is as wide as the window. */
export function WatchStage(props: WatchStageProps) {
  const { playbackId, baseUrl, title, src, poster, publicStatus, media, restriction, brand } = props;
  const { startAt, requestsRealTime, brandLink, wordmark, description, aside } = props;
  const [isTheater, setTheater] = useState(false);
  const sheetState = useState<SheetName | null>(null);
  const [, openSheet] = sheetState;
  const dvrState = useState<DvrState[0]>(null);
  const [clippedTarget, setClippedTarget] = useState<ViewerClipTarget | null>(null);
  const status = usePlaybackStatus(playbackId, media?.status ?? null);
  const isRecorded = media !== undefined && media.kind !== 'live';
  const playerProps = {
    src,
    publicStatus,
    poster,
    title,
    sheetState,
    brand,
    wholePage: true,
    startAt: isRecorded ? startAt : undefined,
    resume: isRecorded,
    dvrSeconds: media?.dvrSeconds,
    dvrState,
    realTime: createRealTimeOffer(media?.whepUrl, requestsRealTime),
    chapters: media?.chapters,
    share: media && { baseUrl, playbackId, title },
    onClip: media?.clips ? (...target: ViewerClipTarget) => setClippedTarget(target) : undefined,
    theater: { isOn: isTheater, toggle: () => setTheater((wasTheater) => !wasTheater) },
    className: isTheater ? 'lg:aspect-auto lg:h-[calc(100dvh-6rem)]' : 'sm:rounded-lg',
  };
  /** Seeks to the chapter whose link was clicked. Until the video has metadata, the link loads the page instead. */
  const seekToChapter = (event: MouseEvent<HTMLElement>) => {
    const seconds = (event.target as Element).closest('[data-seek]')?.getAttribute('data-seek');
    const video = event.currentTarget.querySelector('video');
    if (!seconds || !video || video.readyState === 0) return;
    event.preventDefault();
    seekTo(video, Number(seconds));
  };
  const playFromStart = (event: MouseEvent<HTMLElement>) => {
    const [dvrStart, setDvrStart] = dvrState;
    const video = event.currentTarget.closest('main')?.querySelector('video');
    const timeline = dvrStart !== null && video && timelineOf(video);
    if (timeline) seekTo(video, timeline.start);
    else setDvrStart('start');
  };
  return (
    <main
      onClick={seekToChapter}
      className={clsx(
        'grid min-h-dvh content-start gap-x-6 gap-y-4 pb-6',
        !isTheater && 'mx-auto sm:p-4 min-[60rem]:p-6',
        !isTheater && (aside ? watchWidthWithAside : watchWidth),
        aside && !isTheater && 'min-[60rem]:grid-cols-[minmax(0,1fr)_22.5rem]',
      )}
    >
      <div className="grid min-w-0 content-start gap-4">
        <div
          className={clsx(
            // Without its edge a dark stage without a picture would look like an empty page.
            'mx-auto w-full dark:ring-1 dark:ring-line',
            isTheater ? 'max-lg:max-w-[calc((100dvh-7.5rem)*16/9)]' : 'sm:rounded-lg',
          )}
        >
          {restriction ? (
            <RestrictedPlayer restriction={restriction} {...playerProps} />
          ) : (
            <Player {...playerProps} />
          )}
        </div>
        {clippedTarget && (
          <Suspense fallback={null}>
            <ViewerClipEditor
              playbackId={playbackId}
              target={clippedTarget}
              onClose={() => setClippedTarget(null)}
            />
          </Suspense>
        )}
        <div
          className={clsx(
            'grid gap-x-6 gap-y-3 max-sm:px-4 sm:grid-cols-[minmax(0,1fr)_auto]',
            isTheater && 'lg:px-6',
          )}
        >
          <div className="grid min-w-0 content-start gap-1">
            <h1 className={clsx('text-xl/7 font-semibold tracking-tight wrap-anywhere', !media && 'sr-only')}>
              {title}
            </h1>
            {media && (
              <WatchFacts
                playbackId={playbackId}
                media={media}
                status={status}
                startsAt={publicStatus?.startsAt}
              />
            )}
          </div>
          {media && (
            <PageActions
              onShare={() => openSheet('share')}
              onPlayFromStart={media.dvrSeconds && status?.live ? playFromStart : undefined}
            />
          )}
          {brandLink && <div className="col-span-full min-w-0">{brandLink}</div>}
          {description && <div className="col-span-full min-w-0">{description}</div>}
        </div>
      </div>
      {aside && (
        <div className={clsx('grid content-start gap-6 max-sm:px-4', isTheater && 'lg:px-6')}>{aside}</div>
      )}
      {!brandLink && (
        <footer className="col-span-full flex justify-center pt-4 opacity-70">{wordmark}</footer>
      )}
    </main>
  );
}

interface PageActionsProps {
  onShare: () => void;
  /** Plays the stream from the start of its DVR window; undefined if viewers cannot go back. */
  onPlayFromStart: ((event: MouseEvent<HTMLElement>) => void) | undefined;
}

/** On a phone the buttons are below the description, so that the facts have the whole width. */
function PageActions({ onShare, onPlayFromStart }: PageActionsProps) {
  const t = useTranslations('player.page');
  return (
    <div className="grid auto-cols-fr grid-flow-col gap-2 self-start max-sm:order-last">
      <PageButton icon={Share} onClick={onShare}>
        {t('share')}
      </PageButton>
      {onPlayFromStart && (
        <PageButton icon={Restart} onClick={onPlayFromStart}>
          {t('fromTheStart')}
        </PageButton>
      )}
    </div>
  );
}

interface PageButtonProps {
  icon: typeof Share;
  onClick: (event: MouseEvent<HTMLElement>) => void;
  children: string;
}

/** A button without the dashboard's button component, which would add 10 kB to this page. */
function PageButton({ icon: Icon, onClick, children }: PageButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="bg-surface hover:bg-hover inline-flex h-9 items-center justify-center gap-2 rounded-md border px-4 font-medium whitespace-nowrap transition-colors max-sm:h-11 max-sm:px-2 pointer-coarse:h-11"
    >
      <Icon className="size-4 shrink-0" />
      {children}
    </button>
  );
}
