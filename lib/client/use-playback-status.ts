'use client';

import { useEffect, useState } from 'react';
import type { PlaybackStatus } from '@/lib/contract/streams/playback';

/** With the second that an answer is shared for, open pages follow a stream within 10 s. */
const REFRESH_MS = 8000;
const ANSWER_WITHIN_MS = 8000;

/**
 * The live status of a stream, read again while the page is visible. Without the schema of the contract and a query
 * client, which would double the code of the watch page. Null: not a stream, or not known at the moment.
 */
export function usePlaybackStatus(playbackId: string, first: PlaybackStatus | null): PlaybackStatus | null {
  const [status, setStatus] = useState(first);
  const isStream = first !== null;
  useEffect(() => {
    if (!isStream) return;
    const closing = new AbortController();
    const { signal } = closing;
    const refresh = () => {
      if (document.hidden) return;
      void readStatus(playbackId, signal).then((status) => {
        if (signal.aborted) return;
        // A stream that was withdrawn is asked for again when the viewer comes back to the page.
        if (status === 'nothing') clearInterval(timer);
        setStatus(status === 'nothing' ? null : status);
      });
    };
    const timer = setInterval(refresh, REFRESH_MS);
    document.addEventListener('visibilitychange', refresh, { signal });
    return () => {
      clearInterval(timer);
      closing.abort();
    };
  }, [playbackId, isStream]);
  return status;
}

/** `nothing`: there is no such stream. Null: no answer, or not a useful one. */
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
