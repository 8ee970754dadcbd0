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
import type { PublicStatus } from '@/lib/core/streams/public-status';
import type { EngineFacts } from './engine';
import { Playback } from './playback';
import { type PlaybackView, initialView } from './playback-view';

/** Functions of a playback for the controls. They do nothing while nothing plays. */
export interface PlaybackControl {
  /** Chooses a rendition by index; -1 = automatic. */
  chooseRendition: (index: number) => void;
  /** Chooses an audio track by index. */
  chooseAudio: (index: number) => void;
  /** Sets the playback rate; 1 = normal. */
  setSpeed: (speed: number) => void;
  jumpToLive: () => void;
  /** Null while nothing plays. */
  facts: () => EngineFacts | null;
  /** Time at which this second of the video was sent, in Unix milliseconds; null if unknown. */
  dateAt: (seconds: number) => number | null;
}

interface PlaybackOptions {
  /** Whether the stream is live, if known. */
  live: boolean | undefined;
  /** State of the stream when the page was rendered; undefined if unknown. */
  publicStatus: PublicStatus | undefined;
  autoplay: boolean;
  /** Start position of a recorded video in seconds, read when it is opened. */
  startAt: () => number | undefined;
  /** WHEP URL of a stream available over WebRTC; undefined: HLS only. */
  whepUrl: string | undefined;
}

/**
 * Plays `src` in a <video> while the component is mounted. `src`: null if there is nothing to play, undefined if
 * unknown.
 */
export function usePlayback(
  video: HTMLVideoElement | null,
  src: string | null | undefined,
  { live, publicStatus, autoplay, startAt, whepUrl }: PlaybackOptions,
): { view: PlaybackView; control: PlaybackControl } {
  const [view, setView] = useState(() => initialView(live, publicStatus));
  const playback = useRef<Playback | null>(null);
  const createPlayback = useEffectEvent((element: HTMLVideoElement, playlistUrl: string) => {
    return new Playback(element, playlistUrl, setView, {
      live,
      publicStatus,
      autoplay,
      startAt: startAt(),
      whepUrl,
    });
  });

  useEffect(() => {
    if (!video || src === null || src === undefined) return;
    const newPlayback = createPlayback(video, src);
    playback.current = newPlayback;
    newPlayback.open();
    return () => {
      newPlayback.close();
      playback.current = null;
    };
  }, [video, src, whepUrl]);

  useEffect(() => playback.current?.setLive(live), [live]);

  const control = useMemo(
    (): PlaybackControl => ({
      chooseRendition: (index) => playback.current?.chooseRendition(index),
      chooseAudio: (index) => playback.current?.chooseAudio(index),
      setSpeed: (speed) => playback.current?.setSpeed(speed),
      jumpToLive: () => playback.current?.jumpToLive(),
      facts: () => playback.current?.facts() ?? null,
      dateAt: (seconds) => playback.current?.dateAt(seconds) ?? null,
    }),
    [],
  );
  return { view: src === null ? { ...view, phase: 'not-found' } : view, control };
}

/**
 * Value that is read again at events of the <video> or the document.
 * @param events names of events, separated by spaces
 * @param initialValue value on the server, and while there is no <video>
 */
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
