import { useEffect, useState } from 'react';
import type { PlaybackControl } from '../engine/playback-hooks';
import { loadThen } from './load-then';

interface DvrView {
  /** URL of the playlist to play: the live playlist, or the DVR playlist. */
  src: string | null | undefined;
  /** Switches to the DVR playlist; undefined if that is not possible or already done. */
  rewind: (() => void) | undefined;
  /** Wraps a playback control: jumping to live returns to the live playlist, which is closer to the live edge. */
  control: (live: PlaybackControl) => PlaybackControl;
}

/** Plays the low-latency playlist of a live stream until the viewer goes back in it. */
export function useDvr(
  video: HTMLVideoElement | null,
  livePlaylist: string | null | undefined,
  isAvailable: boolean,
): DvrView {
  const [hasRewound, setHasRewound] = useState(false);
  const isBehind = hasRewound && isAvailable;
  useEffect(() => {
    if (!isBehind || !video) return;
    return loadThen(
      () => import('./step-back'),
      ({ stepBack }) => stepBack(video),
    );
  }, [isBehind, video]);
  return {
    src: isBehind && typeof livePlaylist === 'string' ? withDvr(livePlaylist) : livePlaylist,
    rewind: isAvailable && !hasRewound ? () => setHasRewound(true) : undefined,
    control: (control) =>
      isBehind
        ? {
            ...control,
            jumpToLive: () => {
              // At a slower speed, the live playlist would fall behind; at a faster one, it would stall.
              control.setSpeed(1);
              setHasRewound(false);
            },
          }
        : control,
  };
}

const withDvr = (src: string): string => `${src}${src.includes('?') ? '&' : '?'}dvr=1`;
