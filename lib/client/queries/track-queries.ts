'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { BodyInput } from '@/lib/contract/define-endpoint';
import { callEndpoint } from '@/lib/client/call';
import { tasksKey } from './task-queries';
import {
  transcribeAsset,
  addTrack,
  deleteTrack,
  listTracks,
  updateTrack,
} from '@/lib/client/routes/assets-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

const tracksKey = (assetId: string) => ['tracks', assetId] as const;

export const useTracks = (id: string) =>
  useQuery({
    queryKey: tracksKey(id),
    queryFn: ({ signal }) => callEndpoint(listTracks, { params: { id } }, { signal }),
  });

function useTrackMutation<I, O>(id: string, mutationFn: (input: I) => Promise<O>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: tracksKey(id) }),
  });
}

export const useAddTrack = (id: string) =>
  useTrackMutation(id, (body: BodyInput<EndpointOf<typeof addTrack>>) =>
    callEndpoint(addTrack, { params: { id }, body }),
  );

export const useUpdateTrack = (id: string) =>
  useTrackMutation(
    id,
    ({ trackId, ...body }: BodyInput<EndpointOf<typeof updateTrack>> & { trackId: string }) =>
      callEndpoint(updateTrack, { params: { id, trackId }, body }),
  );

export const useDeleteTrack = (id: string) =>
  useTrackMutation(id, (trackId: string) => callEndpoint(deleteTrack, { params: { id, trackId } }));

/** Requests subtitles from speech recognition; a task creates them. */
export function useTranscribeAsset(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof transcribeAsset>>) =>
      callEndpoint(transcribeAsset, { params: { id }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: tasksKey }),
  });
}

/** Refetches the tracks after a task added one. */
export function useRefetchTracks(id: string): () => void {
  const client = useQueryClient();
  return useCallback(() => void client.invalidateQueries({ queryKey: tracksKey(id) }), [client, id]);
}
