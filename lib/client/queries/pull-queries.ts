'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/lib/client/call';
import { oneStreamKey } from '@/lib/client/query-keys';
import { startPull, terminateStream } from '@/lib/client/routes/streams-routes';

/** Awaits the stream, so that the button shows the new state when it is enabled again. */
function usePullChange(id: string, change: () => Promise<void>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: oneStreamKey(id) }),
  });
}

export const useStartPull = (id: string) => usePullChange(id, () => call(startPull, { params: { id } }));

export const useStopPull = (id: string) => usePullChange(id, () => call(terminateStream, { params: { id } }));
