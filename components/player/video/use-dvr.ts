import { useEffect, useState } from 'react';
import type { PlaybackControl } from '../engine/playback-hooks';
import { loadThen } from './load-then';

interface DvrView {
  /** URL of the playlist to play: the live playlist, or the DVR playlist. */
  src: string | null | undefined;
  /** Switches to the DVR playlist; undefined if that is not possible or already done. */
  rewind: (() => void) | undefined;
  /** Wraps the control so that jumping to live returns to the live playlist, which is closer to the live edge. */
  control: (live: PlaybackControl) => PlaybackControl;
}

/** Plays the low-latency playlist of a live stream until the viewer goes back in it. */
export function useDvr(
  video: HTMLVideoElement | null,
  live: string | null | undefined,
  possible: boolean,
): DvrView {
  const [rewound, setRewound] = useState(false);
  const isBehind = rewound && possible;
  useEffect(() => {
    if (!isBehind || !video) return;
    return loadThen(
      () => import('./step-back'),
      ({ stepBack }) => stepBack(video),
    );
  }, [isBehind, video]);
  return {
    src: isBehind && typeof live === 'string' ? withDvr(live) : live,
    rewind: possible && !rewound ? () => setRewound(true) : undefined,
    control: (control) =>
      isBehind
        ? {
            ...control,
            jumpToLive: () => {
              // At a slower speed, the live playlist would fall behind; at a faster one, it would stall.
              control.setSpeed(1);
              setRewound(false);
            },
          }
        : control,
  };
}

const withDvr = (src: string): string => `${src}${src.includes('?') ? '&' : '?'}dvr=1`;
