'use client';

import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { seekBy } from './media-actions';
import { storePosition, storedPosition } from './resume';
import { LONG_SEEK_S } from './shortcuts';

/** How often the position is kept while a video plays, in its own seconds. */
const STORE_EVERY_S = 5;

interface Resume {
  /** Where to start: as the link says, else where the viewer stopped; undefined = at the beginning. */
  startAt: () => number | undefined;
  /** Where the viewer had stopped; undefined: playback started elsewhere. */
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
  const store = useEffectEvent((often: boolean) => {
    if (!video || src === null || !Number.isFinite(video.duration)) return;
    // Before there is a picture, the position is not where the viewer is.
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    if (often && Math.abs(video.currentTime - last.current) < STORE_EVERY_S) return;
    last.current = video.currentTime;
    storePosition(src, { seconds: video.currentTime, duration: video.duration });
  });
  useEffect(() => {
    if (!video || !enabled) return;
    const closing = new AbortController();
    const { signal } = closing;
    video.addEventListener('timeupdate', () => store(true), { signal });
    video.addEventListener('pause', () => store(false), { signal });
    window.addEventListener('pagehide', () => store(false), { signal });
    return () => closing.abort();
  }, [video, enabled]);
  const start = useCallback(() => {
    if (startAt !== undefined || !enabled || src === null) return startAt;
    const stored = storedPosition(src);
    last.current = stored ?? 0;
    setResumedAt(stored);
    return stored;
  }, [src, enabled, startAt]);
  return { startAt: start, resumedAt };
}

/** Names what plays on lock screens and media keys, and lets them seek. */
export function useMediaSession(
  video: HTMLVideoElement | null,
  title: string,
  picture: string | undefined,
): void {
  useEffect(() => {
    if (!video || !('mediaSession' in navigator)) return;
    const session = navigator.mediaSession;
    const announce = () => {
      session.metadata = new MediaMetadata({
        title,
        artwork: picture === undefined ? [] : [{ src: picture }],
      });
      session.setActionHandler('seekbackward', () => void seekBy(video, -LONG_SEEK_S));
      session.setActionHandler('seekforward', () => void seekBy(video, LONG_SEEK_S));
    };
    video.addEventListener('playing', announce);
    return () => {
      video.removeEventListener('playing', announce);
      session.setActionHandler('seekbackward', null);
      session.setActionHandler('seekforward', null);
    };
  }, [video, title, picture]);
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
