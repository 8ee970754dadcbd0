'use client';

import { useEffect, useState } from 'react';
import type { PlaybackStatus } from '@/lib/contract/streams/playback';

/** Refresh interval. The server caches its response for a second, so open pages follow a stream within 10 s. */
const REFRESH_INTERVAL_MS = 8_000;
const RESPONSE_TIMEOUT_MS = 8_000;

/**
 * The live status of a stream, refetched while the page is visible; null if the playback id is not a stream, or the
 * status is unknown at the moment. Uses neither the contract schema nor a query client, which would double the code of
 * the watch page.
 */
export function usePlaybackStatus(
  playbackId: string,
  initialStatus: PlaybackStatus | null,
): PlaybackStatus | null {
  const [status, setStatus] = useState(initialStatus);
  const isStream = initialStatus !== null;
  useEffect(() => {
    if (!isStream) return;
    const controller = new AbortController();
    const { signal } = controller;
    const refresh = () => {
      if (document.hidden) return;
      void readStatus(playbackId, signal).then((newStatus) => {
        if (signal.aborted) return;
        // A withdrawn stream is followed again when the viewer returns to the page.
        if (newStatus === 'not-found') clearInterval(timer);
        setStatus(newStatus === 'not-found' ? null : newStatus);
      });
    };
    let timer = setInterval(refresh, REFRESH_INTERVAL_MS);
    const refreshNow = () => {
      clearInterval(timer);
      timer = setInterval(refresh, REFRESH_INTERVAL_MS);
      refresh();
    };
    document.addEventListener('visibilitychange', refreshNow, { signal });
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [playbackId, isStream]);
  return status;
}

/** `not-found`: the stream does not exist. Null: no valid response. */
async function readStatus(
  playbackId: string,
  signal: AbortSignal,
): Promise<PlaybackStatus | 'not-found' | null> {
  try {
    const response = await fetch(`/api/playback/${playbackId}/status`, {
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    });
    if (response.status === 404) return 'not-found';
    return response.ok ? ((await response.json()) as PlaybackStatus) : null;
  } catch {
    return null;
  }
}
