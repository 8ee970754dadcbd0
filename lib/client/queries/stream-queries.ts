'use client';

import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import type { BodyInput } from '@/lib/contract/define-endpoint';
import type { Stream } from '@/lib/contract/streams/stream';
import type { ProgramInput } from '@/lib/core/streams/program-state';
import { callEndpoint, callListEndpoint } from '@/lib/client/call';
import {
  ingestsKey,
  oneStreamKey,
  streamListKey,
  streamsKey,
  testPatternKey,
  type StreamListQuery,
} from '@/lib/client/query-keys';
import { omitUndefined } from '@/lib/core/omit-undefined';
import { listIngests } from '@/lib/client/routes/service-routes';
import {
  createStream,
  deleteStream,
  getStream,
  listStreams,
  setStreamRecord,
  updateStream,
  switchStream,
  terminateStream,
  getTestPattern,
  setTestPattern,
} from '@/lib/client/routes/streams-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

interface QueryTiming {
  /** Milliseconds between requests; absent or false: refetch only after changes on this page. */
  readonly refetchInterval?: number | false;
  readonly enabled?: boolean;
}

/** One page of streams. The previous page stays visible while the next one loads. */
export const useStreams = (query: StreamListQuery, timing: QueryTiming = {}) =>
  useQuery({
    queryKey: streamListKey(query),
    queryFn: ({ signal }) => callListEndpoint(listStreams, { query }, { signal }),
    placeholderData: keepPreviousData,
    ...timing,
  });

export const useStream = (id: string, timing: QueryTiming = {}) =>
  useQuery({
    queryKey: oneStreamKey(id),
    queryFn: ({ signal }) => callEndpoint(getStream, { params: { id } }, { signal }),
    ...timing,
  });

export function useCreateStream() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof createStream>>) => callEndpoint(createStream, { body }),
    onSuccess: (stream) => {
      client.setQueryData(oneStreamKey(stream.id), stream);
      return client.invalidateQueries({ queryKey: streamsKey });
    },
  });
}

type EncoderLossSettings = Pick<
  Stream,
  'backup' | 'slate' | 'slateSeconds' | 'recordSlate' | 'fallbackAfterMs'
>;
type StreamChange = Partial<Pick<Stream, 'name' | 'record' | 'suspended' | 'profiles'> & EncoderLossSettings>;

/** The settings of a change that apply when the encoder is lost. */
const encoderLossOf = (change: Partial<EncoderLossSettings>): Partial<EncoderLossSettings> => ({
  ...omitUndefined({ backup: change.backup }),
  ...omitUndefined({ slate: change.slate }),
  ...omitUndefined({ slateSeconds: change.slateSeconds }),
  ...omitUndefined({ recordSlate: change.recordSlate }),
  ...omitUndefined({ fallbackAfterMs: change.fallbackAfterMs }),
});

/** Changes a stream. Shows the change immediately and reverts it if the request fails. */
export function useUpdateStream(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof updateStream>>) =>
      callEndpoint(updateStream, { params: { id }, body }),
    onMutate: ({ name, record, suspended, profiles, dvrSeconds, viewerClips, ...change }) =>
      updateOptimistically(client, id, {
        ...encoderLossOf(change),
        ...omitUndefined({ name }),
        ...omitUndefined({ record }),
        ...omitUndefined({ suspended }),
        ...(profiles ? { profiles } : {}),
        ...(typeof dvrSeconds === 'number' ? { dvrSeconds } : {}),
        ...omitUndefined({ viewerClips }),
      }),
    onError: (_error, _change, previousStream) => client.setQueryData(oneStreamKey(id), previousStream),
    onSettled: () => client.invalidateQueries({ queryKey: streamsKey }),
  });
}

export function useSetStreamRecord(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (record: boolean) => callEndpoint(setStreamRecord, { params: { id }, body: { record } }),
    onMutate: (record) => updateOptimistically(client, id, { record }),
    onError: (_error, _change, previousStream) => client.setQueryData(oneStreamKey(id), previousStream),
    onSettled: () => client.invalidateQueries({ queryKey: streamsKey }),
  });
}

/** Puts an input on air. The stream shows the input once its node has switched. */
export function useSwitchInput(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: ProgramInput) => callEndpoint(switchStream, { params: { id }, body: { to: input } }),
    onSettled: () => client.invalidateQueries({ queryKey: oneStreamKey(id) }),
  });
}

/** Disconnects the encoder, or ends the pull or the test pattern that publishes to the stream. */
export function useTerminateStream(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callEndpoint(terminateStream, { params: { id } }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: oneStreamKey(id) }),
        client.invalidateQueries({ queryKey: testPatternKey(id) }),
      ]),
  });
}

export function useDeleteStream() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(deleteStream, { params: { id } }),
    onSuccess: (_nothing, id) => {
      client.removeQueries({ queryKey: oneStreamKey(id) });
      // Not awaited: the page of the deleted stream would show "not found" before it navigates away.
      void client.invalidateQueries({ queryKey: streamsKey });
    },
  });
}

const TEST_PATTERN_REFRESH_INTERVAL_MS = 2_000;

export const useTestPatternState = (id: string) =>
  useQuery({
    queryKey: testPatternKey(id),
    queryFn: ({ signal }) => callEndpoint(getTestPattern, { params: { id } }, { signal }),
    refetchInterval: TEST_PATTERN_REFRESH_INTERVAL_MS,
  });

export function useSetTestPattern(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof setTestPattern>>) =>
      callEndpoint(setTestPattern, { params: { id }, body }),
    // Awaited, so that the button shows the new state when it is enabled again.
    onSettled: () => client.invalidateQueries({ queryKey: testPatternKey(id) }),
  });
}

export const useIngests = () =>
  useQuery({
    queryKey: ingestsKey,
    queryFn: ({ signal }) => callEndpoint(listIngests, {}, { signal }),
    staleTime: Infinity,
  });

/**
 * Changes the cached stream before the server responds.
 * @returns the stream before the change
 */
async function updateOptimistically(
  client: QueryClient,
  id: string,
  change: StreamChange,
): Promise<Stream | undefined> {
  const queryKey = oneStreamKey(id);
  await client.cancelQueries({ queryKey });
  const previousStream = client.getQueryData<Stream>(queryKey);
  if (previousStream) client.setQueryData(queryKey, { ...previousStream, ...change });
  return previousStream;
}
