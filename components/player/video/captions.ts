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
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) showRemembered(list);
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
      remember(list[index]?.language ?? OFF);
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

const STORAGE_KEY = 'headwater.captions';
/** A viewer who wants none. */
const OFF = '';

function remember(language: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // No storage in this frame: it is chosen again for the next video.
  }
}

function showRemembered(list: TextTrackList): void {
  const language = remembered();
  if (language === null) return;
  const fits = (same: (own: string) => boolean) =>
    Array.from(list).findIndex((track) => isCaption(track) && same(track.language));
  const exact = fits((own) => own === language);
  if (language === OFF) show(list, -1);
  else if (exact >= 0) show(list, exact);
  else {
    // British English for a viewer who chose American.
    const similar = fits((own) => own.split('-')[0] === language.split('-')[0]);
    if (similar >= 0) show(list, similar);
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}
