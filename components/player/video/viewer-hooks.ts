'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { loadThen } from './load-then';
import type { MediaSessionMetadata } from './media-session';
import { storedPosition } from './resume';

interface Resume {
  /** Start position from the link, or the stored position; undefined: the beginning. */
  startAt: () => number | undefined;
  /** Position at which playback resumed; undefined if it did not. */
  resumedAt: number | undefined;
}

/**
 * Stores the viewer's position in a video and resumes there.
 * @param startAt start position from the link
 */
export function useResume(
  video: HTMLVideoElement | null,
  src: string | null,
  { enabled, startAt }: { enabled: boolean; startAt: number | undefined },
): Resume {
  const [resumedAt, setResumedAt] = useState<number>();
  const lastStoredSeconds = useRef(0);
  useEffect(() => {
    if (!video || !enabled || src === null) return;
    return loadThen(
      () => import('./store-position'),
      ({ startStoringPosition }) => startStoringPosition(video, src, lastStoredSeconds.current),
    );
  }, [video, src, enabled]);
  const getStartPosition = useCallback(() => {
    if (startAt !== undefined || !enabled || src === null) return startAt;
    const storedSeconds = storedPosition(src);
    lastStoredSeconds.current = storedSeconds ?? 0;
    setResumedAt(storedSeconds);
    return storedSeconds;
  }, [src, enabled, startAt]);
  return { startAt: getStartPosition, resumedAt };
}

/** Shows metadata in the media controls of the system once the video plays with sound, if the browser supports them. */
export function useMediaSession(video: HTMLVideoElement | null, facts: MediaSessionMetadata): void {
  const [hasPlayedAudio, setHasPlayedAudio] = useState(false);
  const { title, artist, artwork } = facts;
  useEffect(() => {
    if (!video || !('mediaSession' in navigator)) return;
    const controller = new AbortController();
    const checkForAudio = () => !video.muted && !video.paused && setHasPlayedAudio(true);
    for (const name of ['volumechange', 'playing'])
      video.addEventListener(name, checkForAudio, { signal: controller.signal });
    return () => controller.abort();
  }, [video]);
  useEffect(() => {
    if (!video || !hasPlayedAudio) return;
    return loadThen(
      () => import('./media-session'),
      ({ showMediaSession }) => showMediaSession(video, { title, artist, artwork }),
    );
  }, [video, hasPlayedAudio, title, artist, artwork]);
}

/** Time for which the distance of a seek is shown. */
const SHOWN_FOR_MS = 700;

/** Total seek distance of consecutive double taps in one direction, in seconds; null some time after the last tap. */
export function useSeekFlash(): { seconds: number | null; flash: (seconds: number) => void } {
  const [seconds, setSeconds] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const flash = useCallback((distance: number) => {
    clearTimeout(timer.current);
    // The product is positive if both seeks have the same direction.
    setSeconds((total) => (total !== null && total * distance > 0 ? total + distance : distance));
    timer.current = setTimeout(() => setSeconds(null), SHOWN_FOR_MS);
  }, []);
  return { seconds, flash };
}
