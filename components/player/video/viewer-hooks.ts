'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { loadThen } from './load-then';
import type { MediaFacts } from './media-session';
import { storedPosition } from './resume';

interface Resume {
  /** Start position from the link, or where the viewer stopped; undefined: the beginning. */
  startAt: () => number | undefined;
  /** Position at which playback resumed; undefined if it did not. */
  resumedAt: number | undefined;
}

/** Keeps where the viewer is in a video, and starts there the next time. @param startAt as the link says */
export function useResume(
  video: HTMLVideoElement | null,
  src: string | null,
  { enabled, startAt }: { enabled: boolean; startAt: number | undefined },
): Resume {
  const [resumedAt, setResumedAt] = useState<number>();
  const last = useRef(0);
  useEffect(() => {
    if (!video || !enabled || src === null) return;
    return loadThen(
      () => import('./store-position'),
      ({ keepPosition }) => keepPosition(video, src, last.current),
    );
  }, [video, src, enabled]);
  const start = useCallback(() => {
    if (startAt !== undefined || !enabled || src === null) return startAt;
    const storedTime = storedPosition(src);
    last.current = storedTime ?? 0;
    setResumedAt(storedTime);
    return storedTime;
  }, [src, enabled, startAt]);
  return { startAt: start, resumedAt };
}

/** Shows what plays in the controls of the system, which have them for what is heard only. */
export function useMediaSession(video: HTMLVideoElement | null, facts: MediaFacts): void {
  const [hasPlayedSound, setHeard] = useState(false);
  const { title, artist, artwork } = facts;
  useEffect(() => {
    if (!video || !('mediaSession' in navigator)) return;
    const closing = new AbortController();
    const listen = () => !video.muted && !video.paused && setHeard(true);
    for (const name of ['volumechange', 'playing'])
      video.addEventListener(name, listen, { signal: closing.signal });
    return () => closing.abort();
  }, [video]);
  useEffect(() => {
    if (!video || !hasPlayedSound) return;
    return loadThen(
      () => import('./media-session'),
      ({ showMediaSession }) => showMediaSession(video, { title, artist, artwork }),
    );
  }, [video, hasPlayedSound, title, artist, artwork]);
}

const FLASH_MS = 700;

/** How far double taps went in a row, in seconds; null a moment later. */
export function useSeekFlash(): { seconds: number | null; flash: (seconds: number) => void } {
  const [seconds, setSeconds] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const flash = useCallback((by: number) => {
    clearTimeout(timer.current);
    setSeconds((before) => (before !== null && before * by > 0 ? before + by : by));
    timer.current = setTimeout(() => setSeconds(null), FLASH_MS);
  }, []);
  return { seconds, flash };
}
