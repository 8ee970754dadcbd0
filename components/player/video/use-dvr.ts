import { useEffect, useState } from 'react';
import type { PlaybackControl } from '../engine/playback-hooks';
import { loadThen } from './load-then';
import type { DvrStart } from './dvr-start';

/** Where playback started in the DVR playlist, or null while the live playlist plays, and a function that changes it. */
export type DvrState = readonly [start: DvrStart | null, setStart: (start: DvrStart | null) => void];

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
  /** State that the page keeps, for a page with its own button for DVR; absent: it is kept here. */
  readonly dvrState?: DvrState;
}

/** Selects the playlist: the low-latency playlist of a live stream until the viewer goes back, then its DVR playlist. */
export function useDvr(
  video: HTMLVideoElement | null,
  livePlaylist: string | null | undefined,
  { dvrSeconds = 0, dvrState }: DvrOptions,
): DvrView {
  const isAvailable = dvrSeconds > 0;
  const ownState = useState<DvrStart | null>(null);
  const [requestedStart, setStart] = dvrState ?? ownState;
  const start = isAvailable ? requestedStart : null;
  const usesDvr = start !== null;
  useEffect(() => {
    if (start === null || !video) return;
    return loadThen(
      () => import('./dvr-start'),
      ({ seekToDvrStart }) => seekToDvrStart(video, start, dvrSeconds),
    );
  }, [start, video, dvrSeconds]);
  return {
    src: usesDvr && typeof livePlaylist === 'string' ? withDvr(livePlaylist) : livePlaylist,
    rewind: isAvailable && requestedStart === null ? () => setStart('step') : undefined,
    wrapControl: (control) =>
      usesDvr
        ? {
            ...control,
            jumpToLive: () => {
              // At a slower speed, the live playlist would fall behind; at a faster one, it would stall.
              control.setSpeed(1);
              setStart(null);
            },
          }
        : control,
  };
}

/** URL of the DVR playlist of a live stream. */
const withDvr = (src: string): string => `${src}${src.includes('?') ? '&' : '?'}dvr=1`;
