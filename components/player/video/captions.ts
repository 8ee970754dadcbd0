'use client';

import { useEffect, useState } from 'react';
import type { Captions } from './caption-tracks';
import { loadThen } from './load-then';

const noop = () => undefined;
const noCaptions: Captions = { tracks: [], shownTrack: -1, choose: noop, toggle: noop };

/**
 * Subtitles and captions of the video, which the engines add to the text tracks of the <video>. The code is loaded with
 * the first track, because most videos have none. Until then, the default of the video applies.
 */
export function useCaptions(video: HTMLVideoElement | null): Captions {
  const [captions, setCaptions] = useState(noCaptions);
  useEffect(() => {
    const textTracks = video?.textTracks;
    if (!textTracks) return;
    const controller = new AbortController();
    let stopFollowing: (() => void) | undefined;
    const startFollowing = () => {
      const isBeforeFirstFrame = video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA;
      stopFollowing = loadThen(
        () => import('./caption-tracks'),
        ({ followCaptions }) => followCaptions(video, isBeforeFirstFrame, setCaptions),
      );
    };
    textTracks.addEventListener('addtrack', startFollowing, { once: true, signal: controller.signal });
    return () => {
      controller.abort();
      stopFollowing?.();
      setCaptions(noCaptions);
    };
  }, [video]);
  return captions;
}
