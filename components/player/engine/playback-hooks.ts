'use client';

import {
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Broadcast } from '@/lib/core/streams/broadcast';
import type { EngineFacts } from './engine';
import { Playback } from './playback';
import { type PlaybackView, firstView } from './playback-view';

export interface PlaybackControl {
  chooseRendition: (rendition: number) => void;
  chooseAudio: (track: number) => void;
  setSpeed: (speed: number) => void;
  jumpToLive: () => void;
  facts: () => EngineFacts | null;
  /** Time at which this second of the video was sent, in Unix milliseconds; null if unknown. */
  dateAt: (seconds: number) => number | null;
}

interface PlaybackOptions {
  /** Whether the stream is live, if known. */
  live: boolean | undefined;
  /** Why nothing plays at first, if the server knows. */
  broadcast: Broadcast | undefined;
  autoplay: boolean;
  /** Start position of a recorded video in seconds, read when it is opened. */
  startAt: () => number | undefined;
  /** WHEP URL of a stream available over WebRTC; undefined: HLS only. */
  whep: string | undefined;
}

/**
 * Plays `src` in a <video> while the component is mounted. `src`: null if there is nothing to play, undefined if
 * unknown.
 */
export function usePlayback(
  video: HTMLVideoElement | null,
  src: string | null | undefined,
  { live, broadcast, autoplay, startAt, whep }: PlaybackOptions,
): { view: PlaybackView; control: PlaybackControl } {
  const [view, setView] = useState(() => firstView(live, broadcast));
  const playback = useRef<Playback | null>(null);
  const createPlayback = useEffectEvent((element: HTMLVideoElement, from: string) => {
    return new Playback(element, from, setView, { live, broadcast, autoplay, startAt: startAt(), whep });
  });

  useEffect(() => {
    if (!video || src === null || src === undefined) return;
    const engine = createPlayback(video, src);
    playback.current = engine;
    engine.open();
    return () => {
      engine.close();
      playback.current = null;
    };
  }, [video, src, whep]);

  useEffect(() => playback.current?.setLive(live), [live]);

  const control = useMemo(
    (): PlaybackControl => ({
      chooseRendition: (rendition) => playback.current?.chooseRendition(rendition),
      chooseAudio: (track) => playback.current?.chooseAudio(track),
      setSpeed: (speed) => playback.current?.setSpeed(speed),
      jumpToLive: () => playback.current?.jumpToLive(),
      facts: () => playback.current?.facts() ?? null,
      dateAt: (seconds) => playback.current?.dateAt(seconds) ?? null,
    }),
    [],
  );
  return { view: src === null ? { ...view, phase: 'not-found' } : view, control };
}

/** Value that is read from the <video> again at each of the named events of the <video> or the document. */
export function useMediaValue<T extends boolean | number>(
  video: HTMLVideoElement | null,
  events: string,
  readValue: (video: HTMLVideoElement) => T,
  initialValue: T,
): T {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const names = events.split(' ');
      for (const name of names) {
        video?.addEventListener(name, onChange);
        document.addEventListener(name, onChange);
      }
      return () => {
        for (const name of names) {
          video?.removeEventListener(name, onChange);
          document.removeEventListener(name, onChange);
        }
      };
    },
    [video, events],
  );
  return useSyncExternalStore(
    subscribe,
    () => (video ? readValue(video) : initialValue),
    () => initialValue,
  );
}
