'use client';

import { useCallback, useEffect, useMemo, useState } from 'react';
import type * as preferred from './preferred-captions';

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

/** Loaded with the first caption: most videos have none. Without it, the video's default counts. */
const withPreference = (use: (preference: typeof preferred) => void): Promise<void> =>
  import('./preferred-captions').then(use).catch(() => undefined);

const CHANGES = ['addtrack', 'removetrack', 'change'] as const;

/**
 * Subtitles and captions of what plays: both engines keep them in the text tracks of the <video>. The language that the
 * viewer chose last, or none, is remembered for all videos.
 */
export function useCaptions(video: HTMLVideoElement | null): Captions {
  const [view, setView] = useState<Pick<Captions, 'tracks' | 'shown'>>({ tracks: [], shown: -1 });
  const [last, setLast] = useState(-1);
  useEffect(() => {
    const list = video?.textTracks;
    if (!list) return;
    const read = () => {
      // The default of the video counts for those who have not chosen; later changes are the viewer's.
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA)
        void withPreference(({ preferredOf }) => {
          const index = preferredOf(Array.from(list, (track) => (isCaption(track) ? track.language : null)));
          if (index !== null) show(list, index);
        });
      setView(captionsIn(list));
    };
    for (const name of CHANGES) list.addEventListener(name, read);
    return () => {
      for (const name of CHANGES) list.removeEventListener(name, read);
    };
  }, [video]);

  const choose = useCallback(
    (index: number) => {
      const list = video?.textTracks;
      if (!list) return;
      show(list, index);
      const language = list[index]?.language ?? null;
      void withPreference(({ prefer }) => prefer(language));
      if (index >= 0) setLast(index);
    },
    [video],
  );
  return useMemo(() => {
    const toggle = () => {
      const wanted = view.tracks.find(({ index }) => index === last) ?? view.tracks[0];
      choose(view.shown >= 0 ? -1 : (wanted?.index ?? -1));
    };
    return { ...view, choose, toggle };
  }, [view, last, choose]);
}

const isCaption = ({ kind }: TextTrack): boolean => kind === 'subtitles' || kind === 'captions';

function captionsIn(list: TextTrackList): Pick<Captions, 'tracks' | 'shown'> {
  const all = Array.from(list);
  const tracks = all.flatMap((track, index) =>
    isCaption(track) ? [{ index, label: track.label || track.language }] : [],
  );
  return { tracks, shown: tracks.find(({ index }) => all[index]?.mode === 'showing')?.index ?? -1 };
}

function show(list: TextTrackList, index: number): void {
  Array.from(list).forEach((track, each) => {
    const mode = each === index ? 'showing' : 'disabled';
    // A change that changes nothing would be reported, too.
    if (isCaption(track) && track.mode !== mode) track.mode = mode;
  });
}
