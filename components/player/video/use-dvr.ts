import { useEffect, useState } from 'react';
import type { PlaybackControl } from '../engine/playback-hooks';
import { loadThen } from './load-then';

interface DvrView {
  /** Address of the playlist to play: the live one, or the one with everything before it. */
  src: string | null | undefined;
  /** Goes back; undefined where viewers cannot, or have done so. */
  rewind: (() => void) | undefined;
  /** The same control, whose jump to live leads back to the live playlist, which is closer to the live edge. */
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
              // Slower, the live playlist would fall behind; faster, it would stall.
              control.setSpeed(1);
              setRewound(false);
            },
          }
        : control,
  };
}

const withDvr = (src: string): string => `${src}${src.includes('?') ? '&' : '?'}dvr=1`;
