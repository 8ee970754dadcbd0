import { useEffect, useState } from 'react';
import type { PlaybackControl } from '../engine/playback-hooks';
import { loadThen } from './load-then';
import type { Rewind } from './step-back';

/** How the viewer went back in a live stream, or null at the live edge, and a function that changes it. */
export type RewindState = readonly [rewind: Rewind | null, setRewind: (rewind: Rewind | null) => void];

interface DvrView {
  /** URL of the playlist to play: the live playlist, or the DVR playlist. */
  src: string | null | undefined;
  /** Switches to the DVR playlist; undefined if that is not possible or already done. */
  rewind: (() => void) | undefined;
  /** Wraps a playback control: jumping to live returns to the live playlist, which is closer to the live edge. */
  wrapControl: (control: PlaybackControl) => PlaybackControl;
}

interface DvrOptions {
  /** How far viewers can go back in the live stream, in seconds; 0 or absent: not at all. */
  readonly dvrSeconds?: number | undefined;
  /** State of going back that the page keeps; absent: it is kept here. */
  readonly rewindState?: RewindState;
}

/** Selects the playlist: the low-latency playlist of a live stream until the viewer goes back, then its DVR playlist. */
export function useDvr(
  video: HTMLVideoElement | null,
  livePlaylist: string | null | undefined,
  { dvrSeconds = 0, rewindState }: DvrOptions,
): DvrView {
  const isAvailable = dvrSeconds > 0;
  const ownState = useState<Rewind | null>(null);
  const [requestedRewind, setRewind] = rewindState ?? ownState;
  const rewind = isAvailable ? requestedRewind : null;
  const isBehind = rewind !== null;
  useEffect(() => {
    if (rewind === null || !video) return;
    return loadThen(
      () => import('./step-back'),
      ({ stepBack }) => stepBack(video, rewind, dvrSeconds),
    );
  }, [rewind, video, dvrSeconds]);
  return {
    src: isBehind && typeof livePlaylist === 'string' ? withDvr(livePlaylist) : livePlaylist,
    rewind: isAvailable && requestedRewind === null ? () => setRewind('step') : undefined,
    wrapControl: (control) =>
      isBehind
        ? {
            ...control,
            jumpToLive: () => {
              // At a slower speed, the live playlist would fall behind; at a faster one, it would stall.
              control.setSpeed(1);
              setRewind(null);
            },
          }
        : control,
  };
}

/** URL of the DVR playlist of a live stream. */
const withDvr = (src: string): string => `${src}${src.includes('?') ? '&' : '?'}dvr=1`;
