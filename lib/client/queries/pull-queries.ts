'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { startPull } from '@/lib/contract/streams/pull-endpoints';
import { terminateStream } from '@/lib/contract/streams/stream-endpoints';
import { call } from '@/lib/client/call';
import { oneStreamKey } from '@/lib/client/query-keys';

/** Awaits the stream, so that the button shows the new state when it is enabled again. */
function usePullChange(endpoint: typeof startPull | typeof terminateStream, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(endpoint, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: oneStreamKey(id) }),
  });
}

export const useStartPull = (id: string) => usePullChange(startPull, id);

export const useStopPull = (id: string) => usePullChange(terminateStream, id);
