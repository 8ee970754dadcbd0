'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import {
  readStreamListState,
  writeStreamListState,
  type StreamListState,
} from '@/components/streams/stream-list-query';

/** The list's state lives in the address bar: it can be sent to others, and "back" restores it. */
export function useStreamListState() {
  const path = usePathname();
  const params = useSearchParams();
  const state = useMemo(() => readStreamListState(new URLSearchParams(params)), [params]);
  const change = useCallback(
    (part: Partial<StreamListState>, how: 'push' | 'replace' = 'push') => {
      const address = `${path}${writeStreamListState({ ...state, ...part })}`;
      // Nothing has to come from the server for this: Next follows the history by itself.
      if (how === 'replace') window.history.replaceState(null, '', address);
      else window.history.pushState(null, '', address);
    },
    [path, state],
  );
  return { state, change };
}
