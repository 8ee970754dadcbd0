'use client';

import { Maximize, Minimize, Pause, PictureInPicture2, Play, Volume2, VolumeX } from 'lucide-react';
import type { ReactNode } from 'react';
import { clsx } from 'clsx';
import { setVolume, toggleFullscreen, toggleMute, togglePictureInPicture, togglePlay } from './media-actions';
import type { PlaybackView } from './playback';
import { QualityMenu } from './quality-menu';
import { SeekBar } from './seek-bar';
import { clock } from './timeline';
import { useMediaValue } from './playback-hooks';

interface ControlsProps {
  video: HTMLVideoElement | null;
  stage: HTMLElement | null;
  view: PlaybackView;
  hidden: boolean;
  /** Address of the small pictures of the timeline; null = there are none. */
  storyboard: string | null;
  onChoose: (rendition: number) => void;
  onJumpToLive: () => void;
}

export function Controls({ video, stage, view, hidden, storyboard, onChoose, onJumpToLive }: ControlsProps) {
  const paused = useMediaValue(video, 'play pause', (each) => each.paused, true);
  const complete = useMediaValue(video, 'durationchange', (each) => Number.isFinite(each.duration), false);
  if (!video || !stage || view.phase !== 'playing') return null;
  return (
    <div
      className={clsx(
        'absolute inset-x-2 bottom-2 rounded-lg bg-black/70 px-1.5 text-white transition-opacity focus-within:opacity-100 sm:inset-x-3 sm:bottom-3',
        hidden && !paused && 'opacity-0',
      )}
    >
      <div className="px-1.5 not-empty:-mb-1 not-empty:pt-1">
        <SeekBar video={video} storyboard={storyboard} />
      </div>
      <div className="flex h-11 items-center gap-0.5">
        <ControlButton label={paused ? 'Play' : 'Pause'} onClick={() => togglePlay(video)}>
          {paused ? <Play /> : <Pause />}
        </ControlButton>
        <Sound video={video} />
        {complete ? (
          <Position video={video} />
        ) : (
          <>
            <LiveBadge behind={view.behind || paused} onJumpToLive={onJumpToLive} />
            <Latency seconds={view.latency} />
          </>
        )}
        {view.renditions.length > 1 && (
          <QualityMenu
            renditions={view.renditions}
            chosen={view.chosen}
            shown={view.shown}
            onChoose={onChoose}
          />
        )}
        <PictureInPicture video={video} />
        <FullScreen video={video} stage={stage} />
      </div>
    </div>
  );
}

function Sound({ video }: { video: HTMLVideoElement }) {
  const muted = useMediaValue(video, 'volumechange', (each) => each.muted, true);
  const volume = useMediaValue(video, 'volumechange', (each) => each.volume, 1);
  return (
    <>
      <ControlButton label={muted ? 'Unmute' : 'Mute'} onClick={() => toggleMute(video)}>
        {muted ? <VolumeX /> : <Volume2 />}
      </ControlButton>
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        aria-label="Volume"
        value={muted ? 0 : volume}
        onChange={(event) => setVolume(video, Number(event.target.value))}
        className="mr-2 w-16 accent-white max-sm:hidden"
      />
    </>
  );
}

function PictureInPicture({ video }: { video: HTMLVideoElement }) {
  const possible = useMediaValue(video, 'loadedmetadata', () => document.pictureInPictureEnabled, false);
  const inside = useMediaValue(
    video,
    'enterpictureinpicture leavepictureinpicture',
    (each) => document.pictureInPictureElement === each,
    false,
  );
  if (!possible) return null;
  return (
    <ControlButton
      label={inside ? 'Leave picture in picture' : 'Picture in picture'}
      onClick={() => void togglePictureInPicture(video)}
    >
      <PictureInPicture2 />
    </ControlButton>
  );
}

function FullScreen({ video, stage }: { video: HTMLVideoElement; stage: HTMLElement }) {
  const full = useMediaValue(video, 'fullscreenchange', () => document.fullscreenElement !== null, false);
  return (
    <ControlButton
      label={full ? 'Leave full screen' : 'Full screen'}
      onClick={() => void toggleFullscreen(stage, video)}
    >
      {full ? <Minimize /> : <Maximize />}
    </ControlButton>
  );
}

/** Time shown and length, of what has an end. */
function Position({ video }: { video: HTMLVideoElement }) {
  const now = useMediaValue(video, 'timeupdate seeked', (each) => Math.floor(each.currentTime), 0);
  const length = useMediaValue(video, 'durationchange', (each) => each.duration, 0);
  return (
    <span className="mr-auto px-2 font-mono text-xs text-white/80 tabular-nums">
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
      className="inline-flex h-7 items-center gap-2 rounded-md px-2 text-xs font-semibold tracking-wide hover:bg-white/15 focus-visible:outline-white"
    >
      <span
        aria-hidden="true"
        className={clsx('size-2 rounded-full', behind ? 'bg-white/50' : 'bg-[#f0443a]')}
      />
      {behind ? 'GO LIVE' : 'LIVE'}
    </button>
  );
}

function ControlButton(props: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={props.label}
      title={props.label}
      onClick={props.onClick}
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-md hover:bg-white/15 focus-visible:outline-offset-[-2px] focus-visible:outline-white [&_svg]:size-[18px]"
    >
      {props.children}
    </button>
  );
}
