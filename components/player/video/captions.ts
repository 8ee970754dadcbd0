'use client';

import { useCallback, useEffect, useMemo, useState } from 'react';

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

const CHANGES = ['addtrack', 'removetrack', 'change'] as const;

/** Subtitles and captions of what plays: both engines keep them in the text tracks of the <video>. */
export function useCaptions(video: HTMLVideoElement | null): Captions {
  const [view, setView] = useState<Pick<Captions, 'tracks' | 'shown'>>({ tracks: [], shown: -1 });
  const [last, setLast] = useState(-1);
  useEffect(() => {
    const list = video?.textTracks;
    if (!list) return;
    const read = () => setView(captionsIn(list));
    for (const name of CHANGES) list.addEventListener(name, read);
    return () => {
      for (const name of CHANGES) list.removeEventListener(name, read);
    };
  }, [video]);

  const choose = useCallback(
    (index: number) => {
      Array.from(video?.textTracks ?? []).forEach((track, each) => {
        if (isCaption(track)) track.mode = each === index ? 'showing' : 'disabled';
      });
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
