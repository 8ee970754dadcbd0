'use client';

import { weekSeconds } from '@/lib/core/units';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { createPlaybackToken } from '@/lib/contract/access/playback-token';
import {
  createSigningKey,
  deleteSigningKey,
  listSigningKeys,
  updateSigningKey,
} from '@/lib/contract/access/signing-key';
import type { BodyInput } from '@/lib/contract/define-endpoint';
import { getPlayback } from '@/lib/contract/streams/playback';
import { isGated } from '@/lib/core/access/playback-policy';
import { call } from '@/lib/client/call';

const signingKeysKey = ['signing-keys'] as const;

export const useSigningKeys = () =>
  useQuery({ queryKey: signingKeysKey, queryFn: ({ signal }) => call(listSigningKeys, {}, { signal }) });

/** The private key is handed to the caller and kept nowhere. */
export function useCreateSigningKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<typeof createSigningKey>) => call(createSigningKey, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: signingKeysKey }),
    gcTime: 0,
  });
}

export function useUpdateSigningKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: BodyInput<typeof updateSigningKey> & { id: string }) =>
      call(updateSigningKey, { params: { id }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: signingKeysKey }),
  });
}

export function useDeleteSigningKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(deleteSigningKey, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: signingKeysKey }),
  });
}

/** A token for one viewer, which is handed to the caller and kept nowhere. @param id playback id, or id of a session */
export const useCreatePlaybackToken = (id: string) =>
  useMutation({
    mutationFn: (expiresIn: number) => call(createPlaybackToken, { params: { id }, body: { expiresIn } }),
    gcTime: 0,
  });

/** Undefined: not known yet. Null: none is needed. */
export type OwnerToken = string | null | undefined;

/** The address with which its owner plays something; undefined until known. */
export const withToken = (url: string, token: OwnerToken): string | undefined =>
  typeof token === 'string' ? `${url}?token=${token}` : token === null ? url : undefined;

/** The longest that there is: a dashboard may stay open for days. */
const OWNER_SECONDS = weekSeconds;

/**
 * The token with which its owner plays what not everybody may watch. Another policy needs another token.
 * @param id playback id, or id of a session
 * @param policy null: not known yet
 * @returns null if everybody may watch, or the service gives no token
 */
export function useOwnerToken(id: string, policy: PlaybackPolicy | null | undefined): OwnerToken {
  const isGatedPolicy = policy !== null && policy !== undefined && isGated(policy);
  const token = useQuery({
    queryKey: ['owner-tokens', id, policy],
    queryFn: () => call(createPlaybackToken, { params: { id }, body: { expiresIn: OWNER_SECONDS } }),
    enabled: isGatedPolicy,
    staleTime: OWNER_SECONDS * 500,
    retry: 1,
  });
  if (policy === null) return undefined;
  if (!isGatedPolicy || token.isError) return null;
  return token.data?.token;
}

/** Who may watch a recording: null until known. @param id of its session; undefined: there is no recording */
export function useRecordingPolicy(id: string | undefined): PlaybackPolicy | null | undefined {
  const playback = useQuery({
    queryKey: ['playback', id],
    queryFn: ({ signal }) => call(getPlayback, { params: { id: id ?? '' } }, { signal }),
    enabled: id !== undefined,
    retry: 1,
  });
  if (playback.data) return playback.data.meta.playbackPolicy;
  return playback.isError ? undefined : null;
}
