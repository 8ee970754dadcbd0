'use client';

import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { firstView, Playback, type PlaybackView } from './playback';

interface PlaybackControl {
  view: PlaybackView;
  choose: (rendition: number) => void;
  jumpToLive: () => void;
}

/** Ties a Playback to a <video> for as long as both are on the page. `src` null = there is nothing to play. */
export function usePlayback(
  video: HTMLVideoElement | null,
  src: string | null,
  live: boolean | undefined,
  autoplay: boolean,
): PlaybackControl {
  const [view, setView] = useState(() => firstView(live));
  const playback = useRef<Playback | null>(null);
  const create = useEffectEvent((element: HTMLVideoElement, from: string) => {
    return new Playback(element, from, live, autoplay, setView);
  });

  useEffect(() => {
    if (!video || src === null) return;
    const opened = create(video, src);
    playback.current = opened;
    opened.open();
    return () => {
      opened.close();
      playback.current = null;
    };
  }, [video, src]);

  useEffect(() => playback.current?.hint(live), [live]);

  const choose = useCallback((rendition: number) => playback.current?.choose(rendition), []);
  const jumpToLive = useCallback(() => playback.current?.jumpToLive(), []);
  return { view: src === null ? { ...view, phase: 'not-found' } : view, choose, jumpToLive };
}
