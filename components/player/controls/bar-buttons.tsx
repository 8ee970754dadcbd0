'use client';

import { Suspense, lazy, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import * as icons from '../icons';
import { ControlButton } from './control-button';
import {
  setVolume,
  toggleFullscreen,
  toggleMute,
  togglePictureInPicture,
  togglePlay,
} from '../video/media-actions';
import { useMediaValue } from '../engine/playback-hooks';

interface VideoProps {
  video: HTMLVideoElement;
}

export function PlayPause({ video }: VideoProps) {
  const t = useTranslations('player.bar');
  const paused = useMediaValue(video, 'play pause', (each) => each.paused, true);
  return (
    <ControlButton label={paused ? t('play') : t('pause')} onClick={() => togglePlay(video)}>
      {paused ? <icons.Play /> : <icons.Pause />}
    </ControlButton>
  );
}

export function VolumeControl({ video }: VideoProps) {
  const t = useTranslations('player.bar');
  const muted = useMediaValue(video, 'volumechange', (each) => each.muted, true);
  const volume = useMediaValue(video, 'volumechange', (each) => each.volume, 1);
  return (
    <>
      <ControlButton label={muted ? t('unmute') : t('mute')} onClick={() => toggleMute(video)}>
        {muted ? <icons.VolumeOff /> : <icons.VolumeOn />}
      </ControlButton>
      {/* Phones and tablets have volume buttons, and often ignore the volume that a page sets. */}
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        aria-label={t('volume')}
        value={muted ? 0 : volume}
        onChange={(event) => setVolume(video, Number(event.target.value))}
        className="mr-2 w-16 accent-white focus-visible:outline-white @max-[640px]/stage:hidden pointer-coarse:hidden"
      />
    </>
  );
}

const AirplayButton = lazy(() => import('./airplay-button'));

/** WebKit only: available while there are AirPlay devices. */
export function Airplay({ video }: VideoProps) {
  const [available, setAvailable] = useState(false);
  useEffect(() => {
    const onChange = (event: Event) =>
      setAvailable('availability' in event && event.availability === 'available');
    video.addEventListener('webkitplaybacktargetavailabilitychanged', onChange);
    return () => video.removeEventListener('webkitplaybacktargetavailabilitychanged', onChange);
  }, [video]);
  return (
    available && (
      <Suspense fallback={null}>
        <AirplayButton video={video} />
      </Suspense>
    )
  );
}

export function PictureInPicture({ video }: VideoProps) {
  const t = useTranslations('player.bar');
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
      label={inside ? t('leavePictureInPicture') : t('pictureInPicture')}
      onClick={() => void togglePictureInPicture(video)}
      className="@max-[640px]/stage:hidden"
    >
      <icons.PictureInPicture />
    </ControlButton>
  );
}

export interface TheaterMode {
  on: boolean;
  toggle: () => void;
}

export function Theater({ mode }: { mode: TheaterMode }) {
  const t = useTranslations('player.bar');
  return (
    <ControlButton
      label={t('theaterMode')}
      pressed={mode.on}
      onClick={mode.toggle}
      className="max-lg:hidden @max-[960px]/stage:hidden"
    >
      <icons.Theater />
    </ControlButton>
  );
}

export function FullScreen({ video, stage }: VideoProps & { stage: HTMLElement }) {
  const t = useTranslations('player.bar');
  const full = useMediaValue(video, 'fullscreenchange', () => document.fullscreenElement !== null, false);
  return (
    <ControlButton
      label={full ? t('leaveFullScreen') : t('fullScreen')}
      onClick={() => void toggleFullscreen(stage, video)}
    >
      {full ? <icons.Minimize /> : <icons.Maximize />}
    </ControlButton>
  );
}
