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
import type { RewindState } from '@/components/player/video/use-dvr';
import type { SheetName } from '@/components/player/sheets/sheet';
import { usePlaybackStatus } from '@/lib/client/use-playback-status';
import type { Brand } from '@/lib/contract/accounts/brand';
import type { Broadcast } from '@/lib/core/streams/broadcast';
import type { WatchableMedia } from './find-watchable';
import type { PlaybackRestriction } from './restricted';
import { RestrictedPlayer } from './restricted-player';
import { WatchFacts } from './watch-facts';
import { watchWidth, wideWidth } from './watch-width';

const ViewerClipEditor = lazy(() => import('@/components/clips/viewer-clip'));

interface WatchStageProps {
  playbackId: string;
  baseUrl: string;
  title: string;
  src: string | null;
  poster: string | undefined;
  broadcast: Broadcast | undefined;
  /** Undefined for unavailable content. */
  media: WatchableMedia | undefined;
  /** Access to non-public content; undefined for public content. */
  restriction: PlaybackRestriction | undefined;
  brand: Brand | null;
  /** Logo and name of the channel; null if neither is set. */
  channel: ReactNode;
  /** Name of the service, shown if there is no channel; rendered on the server. */
  wordmark: ReactNode;
  /** Description by the owner, rendered on the server; null without one. */
  description: ReactNode;
  /** Chapters and recordings, rendered on the server; null without any. */
  aside: ReactNode;
  /** Start position in seconds, from the link. */
  startAt: number | undefined;
  /** Whether the link asks for playback over WebRTC. */
  realTime: boolean;
}

/** The player and its facts; in theater mode the player is as wide as the window. */
export function WatchStage(props: WatchStageProps) {
  const { playbackId, baseUrl, title, src, poster, broadcast, media, restriction, brand, startAt, realTime } =
    props;
  const { channel, wordmark, description, aside } = props;
  const [theater, setTheater] = useState(false);
  const sheetState = useState<SheetName | null>(null);
  const rewindState = useState<RewindState[0]>(null);
  const [clippedTarget, setClippedTarget] = useState<ViewerClipTarget | null>(null);
  const status = usePlaybackStatus(playbackId, media?.status ?? null);
  const isRecording = media !== undefined && media.kind !== 'live';
  const player = {
    src,
    broadcast,
    poster,
    title,
    sheetState,
    brand,
    wholePage: true,
    startAt: isRecording ? startAt : undefined,
    resume: isRecording,
    dvrSeconds: media?.dvrSeconds,
    rewindState,
    realTime: createRealTimeOffer(media?.whep, realTime),
    chapters: media?.chapters,
    share: media && { baseUrl, playbackId, title },
    onClip: media?.clips ? (...target: ViewerClipTarget) => setClippedTarget(target) : undefined,
    theater: { isOn: theater, toggle: () => setTheater((on) => !on) },
    className: theater ? 'lg:aspect-auto lg:h-[calc(100dvh-6rem)]' : 'sm:rounded-lg',
  };
  const seekOnPage = (event: MouseEvent<HTMLElement>) => {
    const chapter = (event.target as Element).closest('[data-seek]')?.getAttribute('data-seek');
    const video = event.currentTarget.querySelector('video');
    if (!chapter || !video || video.readyState === 0) return;
    event.preventDefault();
    seekTo(video, Number(chapter));
  };
  const playFromStart = (event: MouseEvent<HTMLElement>) => {
    const [rewind, setRewind] = rewindState;
    const video = event.currentTarget.closest('main')?.querySelector('video');
    const timeline = rewind !== null && video && timelineOf(video);
    if (timeline) seekTo(video, timeline.start);
    else setRewind('start');
  };
  return (
    <main
      onClick={seekOnPage}
      className={clsx(
        'grid min-h-dvh content-start gap-x-6 gap-y-4 pb-6',
        !theater && 'mx-auto sm:p-4 min-[60rem]:p-6',
        !theater && (aside ? wideWidth : watchWidth),
        aside && !theater && 'min-[60rem]:grid-cols-[minmax(0,1fr)_22.5rem]',
      )}
    >
      <div className="grid min-w-0 content-start gap-4">
        <div
          className={clsx(
            // Without its edge a dark stage without a picture would look like an empty page.
            'mx-auto w-full dark:ring-1 dark:ring-line',
            theater ? 'max-lg:max-w-[calc((100dvh-7.5rem)*16/9)]' : 'sm:rounded-lg',
          )}
        >
          {restriction ? <RestrictedPlayer restriction={restriction} {...player} /> : <Player {...player} />}
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
            theater && 'lg:px-6',
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
                startsAt={broadcast?.startsAt}
              />
            )}
          </div>
          {media && (
            <PageActions
              onShare={() => sheetState[1]('share')}
              onStart={media.dvrSeconds && status?.live ? playFromStart : undefined}
            />
          )}
          {channel && <div className="col-span-full min-w-0">{channel}</div>}
          {description && <div className="col-span-full min-w-0">{description}</div>}
        </div>
      </div>
      {aside && (
        <div className={clsx('grid content-start gap-6 max-sm:px-4', theater && 'lg:px-6')}>{aside}</div>
      )}
      {!channel && <footer className="col-span-full flex justify-center pt-4 opacity-70">{wordmark}</footer>}
    </main>
  );
}

interface PageActionsProps {
  onShare: () => void;
  /** Plays the broadcast from the start of its DVR window; undefined if viewers cannot go back. */
  onStart: ((event: MouseEvent<HTMLElement>) => void) | undefined;
}

/** On a phone the buttons are below the description, so that the facts have the whole width. */
function PageActions({ onShare, onStart }: PageActionsProps) {
  const t = useTranslations('player.page');
  return (
    <div className="grid auto-cols-fr grid-flow-col gap-2 self-start max-sm:order-last">
      <PageButton icon={Share} onClick={onShare}>
        {t('share')}
      </PageButton>
      {onStart && (
        <PageButton icon={Restart} onClick={onStart}>
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
