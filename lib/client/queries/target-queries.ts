'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '@/lib/contract/define-endpoint';
import { callEndpoint, callListEndpoint } from '@/lib/client/call';
import {
  addStreamTarget,
  listStreams,
  rotateStreamKey,
  updateStream,
} from '@/lib/client/routes/streams-routes';
import {
  createTarget,
  deleteTarget,
  getStreamMultistream,
  listTargets,
  updateTarget,
  testTarget,
  testTargetUrl,
} from '@/lib/client/routes/targets-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

const targetsKey = ['targets'] as const;
/** First word of the keys of all queries about streams, including the target status below. */
const streamsKey = ['streams'] as const;
/** Limit of a list, as a query parameter. */
const listLimit = '1000';

export const useTargets = () =>
  useQuery({
    queryKey: targetsKey,
    queryFn: ({ signal }) => callListEndpoint(listTargets, { query: { limit: listLimit } }, { signal }),
  });

/** All streams with their target references, to show where each target is used. */
export const useStreamsWithTargets = () =>
  useQuery({
    queryKey: [...streamsKey, 'with-targets'],
    queryFn: ({ signal }) =>
      callListEndpoint(listStreams, { query: { limit: listLimit, streamsonly: '1' } }, { signal }),
  });

export function useCreateTarget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof createTarget>>) => callEndpoint(createTarget, { body }),
    // The response contains the URL with the key, which is never cached.
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: targetsKey }),
  });
}

/** A saved target, or a typed URL. */
export type TestedTarget = { readonly id: string } | { readonly url: string };

/** Tests a target. The result for a saved target is a part of its status. */
export function useTestTarget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (target: TestedTarget) =>
      'id' in target
        ? callEndpoint(testTarget, { params: { id: target.id } })
        : callEndpoint(testTargetUrl, { body: { url: target.url } }),
    // The URL contains the key, so it is never cached.
    gcTime: 0,
    onSuccess: (_result, target) =>
      'id' in target ? client.invalidateQueries({ queryKey: streamsKey }) : undefined,
  });
}

export function useUpdateTarget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, change }: { id: string; change: BodyInput<EndpointOf<typeof updateTarget>> }) =>
      callEndpoint(updateTarget, { params: { id }, body: change }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: targetsKey }),
        client.invalidateQueries({ queryKey: streamsKey }),
      ]),
  });
}

export function useDeleteTarget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(deleteTarget, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: targetsKey }),
  });
}

/** Milliseconds between two requests for the status of targets on the page of a stream. */
export const TARGETS_REFRESH_MS = 2_000;

/** The status of the targets of one stream. */
export const useStreamMultistream = (id: string, refetchInterval: number) =>
  useQuery({
    queryKey: [...streamsKey, 'multistream', id],
    queryFn: ({ signal }) => callEndpoint(getStreamMultistream, { params: { id } }, { signal }),
    refetchInterval,
  });

export function useAddStreamTarget(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof addStreamTarget>>) =>
      callEndpoint(addStreamTarget, { params: { id }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: streamsKey }),
  });
}

type TargetReferences = NonNullable<
  NonNullable<BodyInput<EndpointOf<typeof updateStream>>['multistream']>['targets']
>;

/** Replaces the whole list of target references. */
export function useReplaceStreamTargets(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (targets: TargetReferences) =>
      callEndpoint(updateStream, { params: { id }, body: { multistream: { targets } } }),
    onSettled: () => client.invalidateQueries({ queryKey: streamsKey }),
  });
}

export function useRotateStreamKey(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (key: 'primary' | 'backup') =>
      callEndpoint(rotateStreamKey, { params: { id }, body: { key } }),
    onSuccess: () => client.invalidateQueries({ queryKey: streamsKey }),
  });
}
