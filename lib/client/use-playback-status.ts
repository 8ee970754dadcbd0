'use client';

import { useEffect, useState } from 'react';
import type { PlaybackStatus } from '@/lib/contract/streams/playback';

/** The server shares one response for a second, so open pages follow a stream within 10 s. */
const REFRESH_MS = 8000;
const ANSWER_WITHIN_MS = 8000;

/**
 * The live status of a stream, refetched while the page is visible. Uses neither the contract schema nor a query client,
 * which would double the code size of the watch page. Null: not a stream, or not known at the moment.
 */
export function usePlaybackStatus(playbackId: string, first: PlaybackStatus | null): PlaybackStatus | null {
  const [status, setStatus] = useState(first);
  const isStream = first !== null;
  useEffect(() => {
    if (!isStream) return;
    const controller = new AbortController();
    const { signal } = controller;
    const refresh = () => {
      if (document.hidden) return;
      void readStatus(playbackId, signal).then((status) => {
        if (signal.aborted) return;
        // A withdrawn stream is followed again when the viewer returns to the page.
        if (status === 'nothing') clearInterval(timer);
        setStatus(status === 'nothing' ? null : status);
      });
    };
    let timer = setInterval(refresh, REFRESH_MS);
    const resume = () => {
      clearInterval(timer);
      timer = setInterval(refresh, REFRESH_MS);
      refresh();
    };
    document.addEventListener('visibilitychange', resume, { signal });
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [playbackId, isStream]);
  return status;
}

/** `nothing`: the stream does not exist. Null: no valid response. */
async function readStatus(
  playbackId: string,
  signal: AbortSignal,
): Promise<PlaybackStatus | 'nothing' | null> {
  try {
    const response = await fetch(`/api/playback/${playbackId}/status`, {
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    if (response.status === 404) return 'nothing';
    return response.ok ? ((await response.json()) as PlaybackStatus) : null;
  } catch {
    return null;
  }
}
