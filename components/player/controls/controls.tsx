'use client';

import { Suspense, lazy, useState } from 'react';
import { clsx } from 'clsx';
import { useLocale, useTranslations } from 'use-intl';
import {
  AirplayControl,
  FullScreenButton,
  PictureInPictureButton,
  PlayPauseButton,
  VolumeControl,
  TheaterButton,
  type TheaterMode,
} from './bar-buttons';
import type { Chapter } from '@/lib/core/assets/chapters';
import type { Captions } from '../video/caption-tracks';
import type { CastMedia } from '../video/cast';
import type { LatencyChoice } from '../video/use-real-time';
import type { PlaybackView } from '../engine/playback-view';
import { type PlaybackControl, useMediaValue } from '../engine/playback-hooks';
import { SettingsButton } from './settings-button';
import { timelineOf } from '../video/timeline';
import { formatTimecode } from '../video/timecode';

/** Loaded once the video is seekable, so that a live stream starts sooner. */
const SeekBar = lazy(() => import('./seek-bar'));
const CaptionsButton = lazy(() => import('./captions-button'));
const ChaptersButton = lazy(() => import('./chapters-button'));
const CastButton = lazy(() => import('./cast-button'));
const RewindAndClipButtons = lazy(() => import('./rewind-and-clip-buttons'));
const SkipButtons = lazy(() => import('./skip-buttons'));

interface ControlBarProps {
  video: HTMLVideoElement;
  /** Root element of the player. */
  stage: HTMLElement;
  view: PlaybackView;
  control: PlaybackControl;
  captions: Captions;
  theater: TheaterMode | undefined;
  /** Undefined if only one latency is available. */
  latency: LatencyChoice | undefined;
  isHiddenByInactivity: boolean;
  /** URL of the storyboard, which has the thumbnails of the seek bar; null = there is none. */
  storyboard: string | null;
  /** Media for a Chromecast device; undefined if casting is not available. */
  cast: CastMedia | undefined;
  chapters: readonly Chapter[];
  /**
   * Switches to the DVR playlist, which starts before the live window; undefined if it is not available or already
   * plays.
   */
  onRewind: (() => void) | undefined;
  /** Undefined if clips are not available. */
  onClip: (() => void) | undefined;
  onHelp: () => void;
  /** Undefined if sharing is not available. */
  onShare: (() => void) | undefined;
  onStats: () => void;
}

/**
 * The bar at the lower edge. A hidden bar ignores clicks and taps but not the keyboard. Its controls depend on the
 * width of the stage: bar-widths.ts lists those that move to the settings.
 */
export function ControlBar(props: ControlBarProps) {
  const { video, stage, view, control, captions, theater, isHiddenByInactivity, storyboard, cast, chapters } =
    props;
  const paused = useMediaValue(video, 'play pause', (media) => media.paused, true);
  const hasEnd = useMediaValue(video, 'durationchange', (media) => Number.isFinite(media.duration), false);
  const seekable = useMediaValue(
    video,
    'timeupdate progress durationchange loadedmetadata',
    (media) => timelineOf(media) !== null,
    false,
  );
  // Open panel, at most one. The bar stays visible while a panel is open.
  const [openPanel, setOpenPanel] = useState<'settings' | 'chapters' | null>(null);
  const isBehind = view.isBehindLive || paused;
  const isHidden = isHiddenByInactivity && !paused && !openPanel;
  const onRewind = hasEnd ? undefined : props.onRewind;
  return (
    <div
      data-controls
      className={clsx(
        '@container/stage pointer-events-none absolute inset-x-0 bottom-0 text-white transition-opacity has-focus-visible:opacity-100',
        isHidden && 'opacity-0',
      )}
    >
      <div
        className={clsx(
          'm-2 rounded-lg bg-black/70 px-1.5 @min-[640px]/stage:m-3',
          !isHidden && 'pointer-events-auto',
        )}
      >
        <div className="px-1.5 not-empty:-mb-1 not-empty:pt-1">
          {seekable && (
            <Suspense fallback={null}>
              <SeekBar video={video} storyboard={storyboard} chapters={chapters} isAtLiveEdge={!isBehind} />
            </Suspense>
          )}
        </div>
        <div className="relative flex h-11 items-center gap-0.5">
          <PlayPauseButton video={video} />
          {hasEnd && (
            <Suspense fallback={null}>
              <SkipButtons video={video} />
            </Suspense>
          )}
          <VolumeControl video={video} />
          {hasEnd ? (
            <span className="mr-auto flex min-w-0 items-center">
              <Position video={video} />
              {chapters.length > 0 && (
                <span className="flex min-w-0 @max-[640px]/stage:hidden">
                  <Suspense fallback={null}>
                    <ChaptersButton
                      video={video}
                      stage={stage}
                      chapters={chapters}
                      open={openPanel === 'chapters'}
                      onOpenChange={(next) => setOpenPanel(next ? 'chapters' : null)}
                    />
                  </Suspense>
                </span>
              )}
            </span>
          ) : (
            <>
              <LiveBadge isBehind={isBehind} onJumpToLive={control.jumpToLive} />
              <Latency seconds={view.latency} />
            </>
          )}
          <Suspense fallback={null}>
            {captions.tracks.length > 0 && (
              <span className="contents @max-[400px]/stage:hidden">
                <CaptionsButton captions={captions} />
              </span>
            )}
            {(onRewind ?? props.onClip) && (
              <span className="contents @max-[640px]/stage:hidden">
                <RewindAndClipButtons onRewind={onRewind} onClip={props.onClip} />
              </span>
            )}
          </Suspense>
          <SettingsButton
            video={video}
            stage={stage}
            view={view}
            control={control}
            captions={captions}
            theater={theater}
            cast={cast}
            chapters={chapters}
            onRewind={onRewind}
            latency={props.latency}
            onClip={props.onClip}
            open={openPanel === 'settings'}
            onOpenChange={(next) => setOpenPanel(next ? 'settings' : null)}
            onHelp={props.onHelp}
            onShare={props.onShare}
            onStats={props.onStats}
          />
          <span className="contents @max-[960px]/stage:hidden">
            <AirplayControl video={video} />
            {cast && (
              <Suspense fallback={null}>
                <CastButton video={video} media={cast} />
              </Suspense>
            )}
          </span>
          <PictureInPictureButton video={video} />
          {theater && <TheaterButton mode={theater} />}
          <FullScreenButton video={video} stage={stage} />
        </div>
      </div>
    </div>
  );
}

/** Current time and duration of a video that is not live. */
function Position({ video }: { video: HTMLVideoElement }) {
  const currentTime = useMediaValue(video, 'timeupdate seeked', (media) => Math.floor(media.currentTime), 0);
  const duration = useMediaValue(video, 'durationchange', (media) => media.duration, 0);
  return (
    <span className="px-2 font-mono text-xs whitespace-nowrap text-white/80 tabular-nums">
      {formatTimecode(currentTime)}
      <span className="@max-[640px]/stage:hidden"> / {formatTimecode(duration)}</span>
    </span>
  );
}

const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** Time behind the encoder; empty while unknown. */
function Latency({ seconds }: { seconds: number | null }) {
  const t = useTranslations('player.bar');
  const language = useLocale();
  return (
    <span
      className="px-2 font-mono text-xs whitespace-nowrap text-white/80 tabular-nums @max-[640px]/stage:hidden"
      title={t('delay')}
    >
      {seconds === null
        ? ''
        : t('behind', {
            time: seconds < 60 ? `${seconds.toLocaleString(language, oneDigit)} s` : formatTimecode(seconds),
          })}
    </span>
  );
}

/** Whether the viewer is at the live edge; a click jumps there. */
function LiveBadge({ isBehind, onJumpToLive }: { isBehind: boolean; onJumpToLive: () => void }) {
  const t = useTranslations('player.bar');
  return (
    <button
      type="button"
      onClick={onJumpToLive}
      aria-label={isBehind ? t('jumpToLive') : t('live')}
      className="mr-auto inline-flex h-7 min-w-0 items-center gap-2 rounded-md px-2 text-xs font-semibold tracking-wide whitespace-nowrap hover:bg-white/15 focus-visible:outline-white pointer-coarse:h-11"
    >
      <span
        aria-hidden="true"
        className={clsx('size-2 rounded-full', isBehind ? 'bg-white/50' : 'bg-[#f0443a]')}
      />
      {t(isBehind ? 'goLive' : 'isLive')}
    </button>
  );
}
