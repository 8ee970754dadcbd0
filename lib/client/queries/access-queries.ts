'use client';

import { WEEK_SECONDS } from '@/lib/core/units';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PlaybackPolicy } from '@/lib/contract/access/playback-policy';
import type { BodyInput } from '@/lib/contract/define-endpoint';
import { isRestricted } from '@/lib/core/access/playback-policy';
import { callEndpoint } from '@/lib/client/call';
import {
  createPlaybackToken,
  createSigningKey,
  deleteSigningKey,
  listSigningKeys,
  updateSigningKey,
} from '@/lib/client/routes/access-routes';
import { getPlayback } from '@/lib/client/routes/streams-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

const signingKeysKey = ['signing-keys'] as const;

export const useSigningKeys = () =>
  useQuery({
    queryKey: signingKeysKey,
    queryFn: ({ signal }) => callEndpoint(listSigningKeys, {}, { signal }),
  });

/** The private key is returned to the caller and never cached. */
export function useCreateSigningKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof createSigningKey>>) =>
      callEndpoint(createSigningKey, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: signingKeysKey }),
    gcTime: 0,
  });
}

export function useUpdateSigningKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: BodyInput<EndpointOf<typeof updateSigningKey>> & { id: string }) =>
      callEndpoint(updateSigningKey, { params: { id }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: signingKeysKey }),
  });
}

export function useDeleteSigningKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(deleteSigningKey, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: signingKeysKey }),
  });
}

/**
 * Creates a token for one viewer. The token is never cached.
 * @param id playback id, or id of a session
 */
export const useCreatePlaybackToken = (id: string) =>
  useMutation({
    mutationFn: (expiresInSeconds: number) =>
      callEndpoint(createPlaybackToken, { params: { id }, body: { expiresIn: expiresInSeconds } }),
    gcTime: 0,
  });

/** Token with which the owner plays an object: undefined while it loads, null if no token is needed. */
export type OwnerToken = string | null | undefined;

/** The URL with which the owner plays an object; undefined until the token is loaded. */
export const urlWithToken = (url: string, token: OwnerToken): string | undefined =>
  typeof token === 'string' ? `${url}?token=${token}` : token === null ? url : undefined;

/** Maximum lifetime of an owner token, because a dashboard may stay open for days. */
const OWNER_TOKEN_SECONDS = WEEK_SECONDS;

/**
 * The token with which the owner plays an object that is not public. Each policy has its own token.
 * @param id playback id, or id of a session
 * @param policy null: not loaded yet
 * @returns null if the object is public, or the service issues no token
 */
export function useOwnerToken(id: string, policy: PlaybackPolicy | null | undefined): OwnerToken {
  const isRestrictedPolicy = policy !== null && policy !== undefined && isRestricted(policy);
  const token = useQuery({
    queryKey: ['owner-tokens', id, policy],
    queryFn: () =>
      callEndpoint(createPlaybackToken, { params: { id }, body: { expiresIn: OWNER_TOKEN_SECONDS } }),
    enabled: isRestrictedPolicy,
    // Requested again after half of its lifetime.
    staleTime: (OWNER_TOKEN_SECONDS * 1_000) / 2,
    retry: 1,
  });
  if (policy === null) return undefined;
  if (!isRestrictedPolicy || token.isError) return null;
  return token.data?.token;
}

/**
 * The playback policy of a recording: null while it loads, undefined if the recording has none or the request failed.
 * @param id id of the session; undefined without a recording
 */
export function useRecordingPolicy(id: string | undefined): PlaybackPolicy | null | undefined {
  const playback = useQuery({
    queryKey: ['playback', id],
    queryFn: ({ signal }) => callEndpoint(getPlayback, { params: { id: id ?? '' } }, { signal }),
    enabled: id !== undefined,
    retry: 1,
  });
  if (playback.data) return playback.data.meta.playbackPolicy;
  return playback.isError ? undefined : null;
}
