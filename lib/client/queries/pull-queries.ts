'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callEndpoint } from '@/lib/client/call';
import { oneStreamKey } from '@/lib/client/query-keys';
import { startPull, terminateStream } from '@/lib/client/routes/streams-routes';

/** A change of a pull. It waits for the stream, so that the button shows the new state when it is enabled again. */
function usePullChange(streamId: string, change: () => Promise<void>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: oneStreamKey(streamId) }),
  });
}

export const useStartPull = (streamId: string) =>
  usePullChange(streamId, () => callEndpoint(startPull, { params: { id: streamId } }));

export const useStopPull = (streamId: string) =>
  usePullChange(streamId, () => callEndpoint(terminateStream, { params: { id: streamId } }));
