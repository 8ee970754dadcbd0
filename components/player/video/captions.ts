'use client';

import { useEffect, useState } from 'react';
import { loadThen } from './load-then';

interface CaptionTrack {
  /** In the list of text tracks of the <video>. */
  readonly index: number;
  readonly label: string;
}

export interface Captions {
  readonly tracks: readonly CaptionTrack[];
  /** Index of the track on screen; -1 = off. */
  readonly shown: number;
  readonly choose: (index: number) => void;
  /** On with the track that was last on, or the first one; or off. */
  readonly toggle: () => void;
}

const nothing = () => undefined;
const none: Captions = { tracks: [], shown: -1, choose: nothing, toggle: nothing };

/**
 * Subtitles and captions of what plays: both engines keep them in the text tracks of the <video>. Their code is loaded with
 * the first one, because most videos have none; without it, the video's default counts.
 */
export function useCaptions(video: HTMLVideoElement | null): Captions {
  const [captions, setCaptions] = useState(none);
  useEffect(() => {
    const list = video?.textTracks;
    if (!list) return;
    const closing = new AbortController();
    let end: (() => void) | undefined;
    const begin = () => {
      const starts = video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA;
      end = loadThen(
        () => import('./caption-tracks'),
        ({ followCaptions }) => followCaptions(video, starts, setCaptions),
      );
    };
    list.addEventListener('addtrack', begin, { once: true, signal: closing.signal });
    return () => {
      closing.abort();
      end?.();
      setCaptions(none);
    };
  }, [video]);
  return captions;
}
