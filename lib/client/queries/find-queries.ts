'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Stream } from '@/lib/contract/streams/stream';
import { omitUndefined } from '@/lib/core/omit-undefined';
import { ApiCallError, callEndpoint, callListEndpoint } from '@/lib/client/call';
import { getAsset, listAssets } from '@/lib/client/routes/assets-routes';
import { getSession } from '@/lib/client/routes/sessions-routes';
import { getStream, listStreams } from '@/lib/client/routes/streams-routes';
import { getTarget } from '@/lib/client/routes/targets-routes';
import { getTask } from '@/lib/client/routes/tasks-routes';
import { getWebhook } from '@/lib/client/routes/webhooks-routes';

/** A search result: an object and the page that shows it. */
export interface SearchResult {
  readonly kind: 'Stream' | 'Session' | 'Asset' | 'Task' | 'Webhook' | 'Target';
  readonly id: string;
  readonly name: string;
  readonly href: string;
  /** Playback id, for streams only. */
  readonly playbackId?: string;
  /** Playback URL, for playable assets only. */
  readonly playbackUrl?: string;
}

const MAX_RESULTS_PER_KIND = 5;

const createStreamResult = ({ id, name, playbackId }: Stream): SearchResult => ({
  kind: 'Stream',
  id,
  name,
  href: `/streams/${id}`,
  playbackId,
});
const createAssetResult = ({ id, name, playbackUrl }: Asset): SearchResult => ({
  kind: 'Asset',
  id,
  name,
  href: `/assets/${id}`,
  ...omitUndefined({ playbackUrl }),
});

/** The newest streams and assets whose name contains the text; all names match an empty text. */
export const useFindByName = (text: string) =>
  useQuery({
    queryKey: ['find', 'name', text],
    queryFn: async ({ signal }): Promise<SearchResult[]> => {
      const query = {
        limit: String(MAX_RESULTS_PER_KIND),
        order: 'createdAt-true',
        ...(text ? { filters: JSON.stringify([{ id: 'name', value: text }]) } : {}),
      };
      const [streams, assets] = await Promise.all([
        callListEndpoint(listStreams, { query: { ...query, streamsonly: '1' } }, { signal }),
        callListEndpoint(listAssets, { query }, { signal }),
      ]);
      return [...streams.items.map(createStreamResult), ...assets.items.map(createAssetResult)];
    },
    placeholderData: keepPreviousData,
  });

/** Object of the team with this identifier; null if there is none. */
export const useFindById = (searchId: { kind: 'object' | 'playback'; id: string } | null) =>
  useQuery({
    queryKey: ['find', 'id', searchId],
    enabled: searchId !== null,
    queryFn: async ({ signal }): Promise<SearchResult | null> => {
      if (searchId === null) return null;
      return searchId.kind === 'object' ? findObject(searchId.id, signal) : findPlayback(searchId.id, signal);
    },
  });

async function findPlayback(id: string, signal: AbortSignal): Promise<SearchResult | null> {
  const query = { limit: '1', filters: JSON.stringify([{ id: 'playbackId', value: id }]) };
  const [streams, assets] = await Promise.all([
    callListEndpoint(listStreams, { query: { ...query, streamsonly: '1' } }, { signal }),
    callListEndpoint(listAssets, { query }, { signal }),
  ]);
  const [firstResult] = [...streams.items.map(createStreamResult), ...assets.items.map(createAssetResult)];
  return firstResult ?? null;
}

/** An id does not tell the kind of its object, so all kinds are requested. */
async function findObject(id: string, signal: AbortSignal): Promise<SearchResult | null> {
  const params = { id };
  const options = { signal };
  const results = await Promise.all([
    nullIfMissing(callEndpoint(getStream, { params }, options).then(createStreamResult)),
    nullIfMissing(callEndpoint(getAsset, { params }, options).then(createAssetResult)),
    nullIfMissing(
      callEndpoint(getSession, { params }, options).then(({ name }): SearchResult => ({
        kind: 'Session',
        id,
        name,
        href: `/sessions/${id}`,
      })),
    ),
    nullIfMissing(
      callEndpoint(getTask, { params }, options).then(({ type }): SearchResult => ({
        kind: 'Task',
        id,
        name: type,
        href: `/tasks?task=${id}`,
      })),
    ),
    nullIfMissing(
      callEndpoint(getWebhook, { params }, options).then(({ name }): SearchResult => ({
        kind: 'Webhook',
        id,
        name,
        href: `/developers/webhooks/${id}`,
      })),
    ),
    nullIfMissing(
      callEndpoint(getTarget, { params }, options).then(({ name }): SearchResult => ({
        kind: 'Target',
        id,
        name,
        href: '/targets',
      })),
    ),
  ]);
  // A child-session object has the id of its session, so the first kind in this list is shown.
  return results.find((result) => result !== null) ?? null;
}

/** The object, or null if no object of this kind has the id. */
async function nullIfMissing(search: Promise<SearchResult>): Promise<SearchResult | null> {
  try {
    return await search;
  } catch (error) {
    if (error instanceof ApiCallError && error.status === 404) return null;
    throw error;
  }
}
