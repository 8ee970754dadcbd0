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

export function PlayPauseButton({ video }: VideoProps) {
  const t = useTranslations('player.bar');
  const paused = useMediaValue(video, 'play pause', (media) => media.paused, true);
  return (
    <ControlButton label={paused ? t('play') : t('pause')} onClick={() => togglePlay(video)}>
      {paused ? <icons.Play /> : <icons.Pause />}
    </ControlButton>
  );
}

export function VolumeControl({ video }: VideoProps) {
  const t = useTranslations('player.bar');
  const muted = useMediaValue(video, 'volumechange', (media) => media.muted, true);
  const volume = useMediaValue(video, 'volumechange', (media) => media.volume, 1);
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

/** AirPlay button, which WebKit browsers show while AirPlay devices are available. */
export function AirplayControl({ video }: VideoProps) {
  const [isAvailable, setIsAvailable] = useState(false);
  useEffect(() => {
    const onChange = (event: Event) =>
      setIsAvailable('availability' in event && event.availability === 'available');
    video.addEventListener('webkitplaybacktargetavailabilitychanged', onChange);
    return () => video.removeEventListener('webkitplaybacktargetavailabilitychanged', onChange);
  }, [video]);
  return (
    isAvailable && (
      <Suspense fallback={null}>
        <AirplayButton video={video} />
      </Suspense>
    )
  );
}

export function PictureInPictureButton({ video }: VideoProps) {
  const t = useTranslations('player.bar');
  const isPossible = useMediaValue(video, 'loadedmetadata', () => document.pictureInPictureEnabled, false);
  const isActive = useMediaValue(
    video,
    'enterpictureinpicture leavepictureinpicture',
    (media) => document.pictureInPictureElement === media,
    false,
  );
  if (!isPossible) return null;
  return (
    <ControlButton
      label={isActive ? t('leavePictureInPicture') : t('pictureInPicture')}
      onClick={() => void togglePictureInPicture(video)}
      className="@max-[640px]/stage:hidden"
    >
      <icons.PictureInPicture />
    </ControlButton>
  );
}

/** Theater mode of a page: the player is as wide as the window. */
export interface TheaterMode {
  isOn: boolean;
  toggle: () => void;
}

export function TheaterButton({ mode }: { mode: TheaterMode }) {
  const t = useTranslations('player.bar');
  return (
    <ControlButton
      label={t('theaterMode')}
      pressed={mode.isOn}
      onClick={mode.toggle}
      className="max-lg:hidden @max-[960px]/stage:hidden"
    >
      <icons.Theater />
    </ControlButton>
  );
}

export function FullScreenButton({ video, stage }: VideoProps & { stage: HTMLElement }) {
  const t = useTranslations('player.bar');
  const isFullScreen = useMediaValue(
    video,
    'fullscreenchange',
    () => document.fullscreenElement !== null,
    false,
  );
  return (
    <ControlButton
      label={isFullScreen ? t('leaveFullScreen') : t('fullScreen')}
      onClick={() => void toggleFullscreen(stage, video)}
    >
      {isFullScreen ? <icons.Minimize /> : <icons.Maximize />}
    </ControlButton>
  );
}
