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

export const useTracks = (assetId: string) =>
  useQuery({
    queryKey: tracksKey(assetId),
    queryFn: ({ signal }) => callEndpoint(listTracks, { params: { id: assetId } }, { signal }),
  });

function useTrackMutation<Input, Output>(assetId: string, mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: tracksKey(assetId) }),
  });
}

export const useAddTrack = (assetId: string) =>
  useTrackMutation(assetId, (body: BodyInput<EndpointOf<typeof addTrack>>) =>
    callEndpoint(addTrack, { params: { id: assetId }, body }),
  );

export const useUpdateTrack = (assetId: string) =>
  useTrackMutation(
    assetId,
    ({ trackId, ...body }: BodyInput<EndpointOf<typeof updateTrack>> & { trackId: string }) =>
      callEndpoint(updateTrack, { params: { id: assetId, trackId }, body }),
  );

export const useDeleteTrack = (assetId: string) =>
  useTrackMutation(assetId, (trackId: string) =>
    callEndpoint(deleteTrack, { params: { id: assetId, trackId } }),
  );

/** Requests subtitles from speech recognition; a task creates them. */
export function useTranscribeAsset(assetId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof transcribeAsset>>) =>
      callEndpoint(transcribeAsset, { params: { id: assetId }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: tasksKey }),
  });
}

/** Refetches the tracks after a task added one. */
export function useRefetchTracks(assetId: string): () => void {
  const client = useQueryClient();
  return useCallback(
    () => void client.invalidateQueries({ queryKey: tracksKey(assetId) }),
    [client, assetId],
  );
}
