'use client';

import { Suspense, lazy, useEffect, useState } from 'react';
import { clsx } from 'clsx';
import { useTranslations } from 'use-intl';
import type { Brand } from '@/lib/contract/accounts/brand';
import type { Chapter } from '@/lib/core/assets/chapters';
import type { PublicStatus } from '@/lib/core/streams/public-status';
import type { TheaterMode } from './controls/bar-buttons';
import { useCaptions } from './video/captions';
import { ControlBar } from './controls/controls';
import { StagePrompts } from './stage/stage-prompts';
import { assetImageUrlsOf, seekBy, toggleFullscreen, toggleMute, togglePlay } from './video/media-actions';
import { useControlsVisibility, useVideoTaps } from './input/stage-hooks';
import { usePlayerKeys } from './input/player-keys';
import { type StageBrand, stageLogoOf } from './stage/logo';
import { PlayerState, type StageTexts } from './stage/player-state';
import { type PlaybackControl, useMediaValue, usePlayback } from './engine/playback-hooks';
import { type PlaybackView, stageStateOf } from './engine/playback-view';
import type { ShareTarget } from './sheets/share-form';
import type { SheetName } from './sheets/sheet';
import { LONG_SEEK_S } from './input/shortcuts';
import type { TapAction } from './input/tap';
import { type DvrState, useDvr } from './video/use-dvr';
import { type RealTimeOffer, useRealTime } from './video/use-real-time';
import { useReports } from './video/use-reports';
import { useMediaSession, useResume, useSeekFlash } from './video/viewer-hooks';

const FallbackNote = lazy(() => import('./stage/fallback-note'));
const SeekFlash = lazy(() => import('./stage/seek-flash'));
const Sheet = lazy(() => import('./sheets/sheet'));
const StatsPanel = lazy(() => import('./stage/stats'));

const noChapters: readonly Chapter[] = [];

/** The open sheet (a dialog over the player) or null, and a function that opens another sheet or closes it. */
export type SheetState = readonly [openSheet: SheetName | null, showSheet: (name: SheetName | null) => void];

/** Player functions that the clip editor needs. */
export type ClippedPlayer = Pick<PlaybackControl, 'dateAt'> & { readonly video: HTMLVideoElement };

interface PlayerProps {
  /** URL of the HLS playlist; null = there is nothing at this URL; undefined = unknown. */
  src: string | null | undefined;
  /** Whether the stream is live; undefined: the player requests the playlist to find out. */
  live?: boolean | undefined;
  /** State of the stream when the page was rendered. The player updates it, unless `live` is false: then it requests nothing. */
  publicStatus?: PublicStatus | undefined;
  /** URL of the image shown until the first frame. */
  poster?: string | undefined;
  /** Accessible title of the video. */
  title: string;
  /** Text shown before the stream starts; default: "Starts soon". */
  waiting?: StageTexts | undefined;
  /** Whether keys work on the whole page instead of only inside the player. */
  wholePage?: boolean;
  /** Fills the height of the window instead of keeping 16:9. */
  fill?: boolean;
  /** Starts automatically, muted if the browser requires it. */
  autoplay?: boolean;
  muted?: boolean;
  /** Whether to show the control bar. */
  controls?: boolean;
  /** How far viewers can go back in the live stream (`?dvr=1`), in seconds; 0 or absent: not at all. */
  dvrSeconds?: number | undefined;
  /** DVR state for a page with its own button for DVR; absent: the player keeps it. */
  dvrState?: DvrState;
  /** Playback over WebRTC; undefined = not available. */
  realTime?: RealTimeOffer | undefined;
  /** Start position in seconds of a video with an end. */
  startAt?: number | undefined;
  /** Whether to store the viewer's position in the browser. */
  resume?: boolean;
  /** Content of the share sheet; absent: no sharing. */
  share?: ShareTarget | undefined;
  theater?: TheaterMode;
  /** Named parts of a video, in order. */
  chapters?: readonly Chapter[] | undefined;
  /** Brand of the owner; null: none. Only viewer pages have the settings for reports and casting. */
  brand?: (StageBrand & Partial<Brand>) | null | undefined;
  /** Sheet state for a page with its own share button; absent: the player keeps it. */
  sheetState?: SheetState;
  /** Opens the clip editor; absent: clips are not offered. */
  onClip?: ((player: ClippedPlayer) => void) | undefined;
  /** Called with a rejection code when the viewer may not watch or no longer may. */
  onRejected?: (code: string) => void;
  className?: string;
}

/**
 * Plays live streams and videos, waits for them and reconnects. Its root element, the stage, contains the video, the
 * control bar and all overlays, and keeps its size in every state.
 */
export function Player(props: PlayerProps) {
  const t = useTranslations('player.player');
  const { live, publicStatus, poster, title, waiting, share, theater, brand, className } = props;
  const { wholePage = false, fill = false, autoplay = true, muted = true, controls = true } = props;
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const { src, rewind, wrapControl } = useDvr(video, props.src, props);
  const realTime = useRealTime(props.realTime, src === props.src);
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const [statsOpen, setStatsOpen] = useState(false);
  const ownSheet = useState<SheetName | null>(null);
  const [sheet, showSheet] = props.sheetState ?? ownSheet;
  const resume = useResume(video, src ?? null, { enabled: props.resume ?? false, startAt: props.startAt });
  const { whepUrl } = realTime;
  const options = { live, publicStatus, autoplay, startAt: resume.startAt, whepUrl };
  const { view, control: playbackControl } = usePlayback(video, src, options);
  const control = wrapControl(playbackControl);
  const { facts } = control;
  const reportsEnabled = brand?.viewerReports ?? false;
  const reportLines = useReports(video, src, { enabled: reportsEnabled, view, autoplay, facts });
  const captions = useCaptions(video);
  const { isInactive, show, hide } = useControlsVisibility(stage, video);
  const unmute = useUnmuteOffer(video);
  const seekFlash = useSeekFlash();
  const assetImageUrls = assetImageUrlsOf(src ?? null);
  const posterUrl = poster ?? assetImageUrls?.poster;
  useMediaSession(video, { title, artist: brand?.name ?? undefined, artwork: posterUrl });
  const { onRejected, onClip } = props;
  useRejection(view, onRejected);
  const isPlaying = view.phase === 'playing';
  const paused = useMediaValue(video, 'play pause', (media) => media.paused, true);
  const onShare = share && (() => showSheet('share'));

  usePlayerKeys(stage, wholePage, () => {
    if (!video || !stage) return null;
    const showHelp = () => showSheet('help');
    return { video, stage, control, captions, toggleTheater: theater?.toggle, showHelp };
  });

  const handleTapAction = (action: TapAction) => {
    if (!video) return;
    if (action === 'unmute') unmute.accept();
    // The second click of a double click reverts the play or pause of the first click.
    if (action === 'toggle-play' || action === 'toggle-play-and-fullscreen') togglePlay(video);
    if (action === 'seek-back' || action === 'seek-forward') {
      const seconds = action === 'seek-back' ? -LONG_SEEK_S : LONG_SEEK_S;
      if (seekBy(video, seconds)) seekFlash.flash(seconds);
    }
    if (stage && (action === 'fullscreen' || action === 'toggle-play-and-fullscreen'))
      void toggleFullscreen(stage, video);
    if (action === 'hide-controls') hide();
    else show();
  };
  const controlsState = controls ? (isInactive ? 'hidden' : 'visible') : 'none';
  const taps = useVideoTaps({ unmuteOffered: unmute.isOffered, controls: controlsState }, handleTapAction);

  return (
    <section
      ref={setStage}
      tabIndex={wholePage ? undefined : 0}
      aria-label={t('label', { title })}
      data-phase={view.phase}
      className={clsx(
        // The stage is dark in both themes, including its overlays.
        'dark text-ink relative w-full overflow-hidden bg-[#0b1013]',
        fill ? 'h-dvh' : 'aspect-video',
        isInactive && isPlaying && 'cursor-none',
        className,
      )}
    >
      <video
        ref={setVideo}
        muted={muted}
        playsInline
        poster={posterUrl}
        aria-label={title}
        {...(isPlaying ? taps : {})}
        className={clsx(
          'absolute inset-0 size-full touch-manipulation object-contain',
          // Moves native captions above the bar. Firefox does not support this pseudo-element.
          controls && (!isInactive || paused) && '[&::-webkit-media-text-track-container]:-translate-y-20',
        )}
      />
      <PlayerState
        {...{ paused, waiting, ...stageStateOf(view, live, publicStatus) }}
        isFramed={fill}
        hasPoster={posterUrl !== undefined}
        logo={stageLogoOf(brand)}
      />
      {isPlaying && video && (
        <StagePrompts
          video={video}
          // The statistics cover the area of the unmute button.
          unmuteOffered={unmute.isOffered && !statsOpen}
          onUnmute={unmute.accept}
          resumedAt={resume.resumedAt}
          onShare={onShare}
        />
      )}
      {controls && isPlaying && video && stage && (
        <ControlBar
          {...{ video, stage, view, control, captions, theater, onShare }}
          latency={realTime.choiceFor(view.fallback !== undefined)}
          isHiddenByInactivity={isInactive}
          chapters={props.chapters ?? noChapters}
          storyboard={assetImageUrls?.storyboard ?? null}
          cast={brand?.casting && src ? { src, title, poster: posterUrl } : undefined}
          onRewind={rewind}
          onClip={onClip && (() => onClip({ video, dateAt: control.dateAt }))}
          onHelp={() => showSheet('help')}
          onStats={() => setStatsOpen(true)}
        />
      )}
      <Suspense fallback={null}>
        {view.fallback && isPlaying && <FallbackNote reason={view.fallback} />}
        {seekFlash.seconds !== null && <SeekFlash seconds={seekFlash.seconds} />}
        {statsOpen && video && (
          <StatsPanel {...{ video, view, src, reportLines, facts }} onClose={() => setStatsOpen(false)} />
        )}
        {sheet && stage && (
          <Sheet name={sheet} stage={stage} video={video} share={share} onClose={() => showSheet(null)} />
        )}
      </Suspense>
    </section>
  );
}

function useRejection({ phase, rejection }: PlaybackView, onRejected: PlayerProps['onRejected']): void {
  useEffect(() => {
    if (phase === 'rejected') onRejected?.(rejection ?? '');
  }, [phase, rejection, onRejected]);
}

/** Offers to unmute, because browsers may start videos only muted. The offer ends once the video plays with sound. */
function useUnmuteOffer(video: HTMLVideoElement | null): { isOffered: boolean; accept: () => void } {
  const muted = useMediaValue(video, 'volumechange', (media) => media.muted, true);
  const paused = useMediaValue(video, 'play pause', (media) => media.paused, true);
  const [isOpen, setIsOpen] = useState(true);
  useEffect(() => {
    if (!video) return;
    const controller = new AbortController();
    const closeWhenAudible = () => !video.muted && !video.paused && setIsOpen(false);
    for (const name of ['volumechange', 'playing'])
      video.addEventListener(name, closeWhenAudible, { signal: controller.signal });
    return () => controller.abort();
  }, [video]);
  const accept = () => {
    if (video?.muted) toggleMute(video);
    setIsOpen(false);
  };
  return { isOffered: isOpen && muted && !paused, accept };
}
