'use client';

import { Suspense, lazy, useState } from 'react';
import { clsx } from 'clsx';
import {
  Airplay,
  FullScreen,
  PictureInPicture,
  PlayPause,
  Sound,
  Theater,
  type TheaterMode,
} from './bar-buttons';
import type { Captions } from '../video/captions';
import type { CastMedia } from '../video/cast';
import type { PlaybackView } from '../engine/playback-view';
import { type PlaybackControl, useMediaValue } from '../engine/playback-hooks';
import { SeekBar } from './seek-bar';
import { SettingsButton } from './settings-button';
import { clock } from '../video/timeline';

const CaptionsButton = lazy(() => import('./captions-button'));
const CastButton = lazy(() => import('./cast-button'));

interface ControlsProps {
  video: HTMLVideoElement;
  stage: HTMLElement;
  view: PlaybackView;
  control: PlaybackControl;
  captions: Captions;
  theater: TheaterMode | undefined;
  hidden: boolean;
  /** Address of the small pictures of the timeline; null = there are none. */
  storyboard: string | null;
  /** What a Chromecast device would play; undefined where that is not offered. */
  cast: CastMedia | undefined;
  onHelp: () => void;
  /** Undefined where there is nothing to share. */
  onShare: (() => void) | undefined;
  onStats: () => void;
}

/** The bar at the lower edge. Hidden, it takes no clicks or taps, but still the keyboard. */
export function Controls(props: ControlsProps) {
  const { video, stage, view, control, captions, theater, hidden, storyboard, cast } = props;
  const paused = useMediaValue(video, 'play pause', (each) => each.paused, true);
  const complete = useMediaValue(video, 'durationchange', (each) => Number.isFinite(each.duration), false);
  const [settingsOpen, setSettingsOpen] = useState(false);
  const behind = view.behind || paused;
  return (
    <div
      data-controls
      className={clsx(
        'absolute inset-x-2 bottom-2 rounded-lg bg-black/70 px-1.5 text-white transition-opacity has-focus-visible:opacity-100 sm:inset-x-3 sm:bottom-3',
        hidden && !paused && !settingsOpen && 'pointer-events-none opacity-0',
      )}
    >
      <div className="px-1.5 not-empty:-mb-1 not-empty:pt-1">
        <SeekBar video={video} storyboard={storyboard} atLive={!behind} />
      </div>
      <div className="relative flex h-11 items-center gap-0.5">
        <PlayPause video={video} />
        <Sound video={video} />
        {complete ? (
          <Position video={video} />
        ) : (
          <>
            <LiveBadge behind={behind} onJumpToLive={control.jumpToLive} />
            <Latency seconds={view.latency} />
          </>
        )}
        {captions.tracks.length > 0 && (
          <Suspense fallback={null}>
            <CaptionsButton captions={captions} />
          </Suspense>
        )}
        <SettingsButton
          {...{ video, stage, view, control, captions }}
          open={settingsOpen}
          onOpenChange={setSettingsOpen}
          onHelp={props.onHelp}
          onShare={props.onShare}
          onStats={props.onStats}
        />
        <Airplay video={video} />
        {cast && (
          <Suspense fallback={null}>
            <CastButton video={video} media={cast} />
          </Suspense>
        )}
        <PictureInPicture video={video} />
        {theater && <Theater mode={theater} />}
        <FullScreen video={video} stage={stage} />
      </div>
    </div>
  );
}

/** Time shown and length, of what has an end. */
function Position({ video }: { video: HTMLVideoElement }) {
  const now = useMediaValue(video, 'timeupdate seeked', (each) => Math.floor(each.currentTime), 0);
  const length = useMediaValue(video, 'durationchange', (each) => each.duration, 0);
  return (
    <span className="mr-auto px-2 font-mono text-xs whitespace-nowrap text-white/80 tabular-nums">
      {clock(now)} / {clock(length)}
    </span>
  );
}

function Latency({ seconds }: { seconds: number | null }) {
  return (
    <span className="ml-auto px-2 font-mono text-xs text-white/80 tabular-nums" title="Delay behind live">
      {seconds === null ? '' : `${seconds.toFixed(1)} s`}
      <span className="max-sm:sr-only">{seconds === null ? '' : ' behind'}</span>
    </span>
  );
}

function LiveBadge({ behind, onJumpToLive }: { behind: boolean; onJumpToLive: () => void }) {
  return (
    <button
      type="button"
      onClick={onJumpToLive}
      aria-label={behind ? 'Jump to live' : 'Live'}
      className="inline-flex h-7 items-center gap-2 rounded-md px-2 text-xs font-semibold tracking-wide whitespace-nowrap hover:bg-white/15 focus-visible:outline-white pointer-coarse:h-11"
    >
      <span
        aria-hidden="true"
        className={clsx('size-2 rounded-full', behind ? 'bg-white/50' : 'bg-[#f0443a]')}
      />
      {behind ? 'GO LIVE' : 'LIVE'}
    </button>
  );
}
