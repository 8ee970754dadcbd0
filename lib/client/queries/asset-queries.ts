'use client';

import { MINUTE_MS } from '@/lib/core/units';
import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { previewParameter } from '@/lib/core/access/shared-names';
import type { PlaybackPolicyInput } from '@/lib/contract/access/playback-policy';
import type { Asset } from '@/lib/contract/assets/asset';
import type { BodyInput, Page } from '@/lib/contract/define-endpoint';
import { callEndpoint, callListEndpoint } from '@/lib/client/call';
import { wholeListQuery, withoutRows } from '@/lib/client/list-cache';
import {
  assetListKey,
  assetListsKey,
  assetsKey,
  oneAssetKey,
  PREVIEW_STALE_TIME_MS,
  previewKey,
  type AssetListQuery,
} from '@/lib/client/query-keys';
import { tasksKey } from './task-queries';
import { useBulk } from '@/lib/client/use-bulk';
import { getAssetPreview } from '@/lib/client/routes/access-routes';
import { getAssetUsage } from '@/lib/client/routes/accounts-routes';
import {
  deleteAsset,
  exportAsset,
  getAsset,
  importAsset,
  listAssets,
  restoreAsset,
  updateAsset,
  createClip,
  replaceAsset,
  transcodeAsset,
} from '@/lib/client/routes/assets-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

type RefetchInterval = number | false;

interface QueryTiming<Data> {
  /** Milliseconds between requests; absent or false: no polling. */
  readonly refetchInterval?:
    | RefetchInterval
    | ((query: { readonly state: { readonly data: Data | undefined } }) => RefetchInterval);
  readonly staleTime?: number;
  readonly enabled?: boolean;
}

/** One page of assets. The previous page stays visible while the next one loads. */
export const useAssets = (query: AssetListQuery, timing: QueryTiming<Page<Asset>> = {}) =>
  useQuery({
    queryKey: assetListKey(query),
    queryFn: ({ signal }) => callListEndpoint(listAssets, { query }, { signal }),
    placeholderData: keepPreviousData,
    ...timing,
  });

/** Names change rarely, and a list requests many of them repeatedly. */
const NAMES_STALE_TIME_MS = 5 * MINUTE_MS;
/** Maximum number of ids that one filter accepts. */
const MAX_FILTER_IDS = 100;

/**
 * The names of assets by id, from one request; undefined until loaded. Deleted assets are missing, and of more than
 * MAX_FILTER_IDS different ids those that sort last.
 */
export function useAssetNames(ids: readonly string[]): ReadonlyMap<string, string> | undefined {
  const namedIds = [...new Set(ids)].sort().slice(0, MAX_FILTER_IDS);
  const { data } = useAssets(
    { limit: String(MAX_FILTER_IDS), filters: JSON.stringify([{ id: 'id', value: namedIds }]) },
    { enabled: namedIds.length > 0, staleTime: NAMES_STALE_TIME_MS },
  );
  return useMemo(() => data && new Map(data.items.map(({ id, name }) => [id, name])), [data]);
}

/** Viewership of an asset in the last 30 days. */
export const useAssetUsage = (id: string) =>
  useQuery({
    queryKey: ['asset-usage', id],
    queryFn: ({ signal }) => callEndpoint(getAssetUsage, { params: { id } }, { signal }),
    staleTime: MINUTE_MS,
  });

/**
 * URL of the playlist for the player of the dashboard. Its preview token allows playback of assets that are not public, and
 * keeps the playback out of the counted views.
 * @returns undefined until the token is loaded, and for an asset that has no playback; the public playlist if the service
 * issues no token
 */
export function useAssetPreviewUrl({
  id,
  playbackUrl,
  hash,
}: Pick<Asset, 'id' | 'playbackUrl' | 'hash'>): string | undefined {
  const preview = useQuery({
    queryKey: previewKey(id),
    queryFn: ({ signal }) => callEndpoint(getAssetPreview, { params: { id } }, { signal }),
    staleTime: PREVIEW_STALE_TIME_MS,
    retry: 1,
  });
  if (preview.data && playbackUrl !== undefined) {
    // Browsers cache a playlist for a minute, so a replaced file needs a new URL.
    const fileVersion = hash?.[0] ? `&file=${hash[0].hash}` : '';
    return `${playbackUrl}?${previewParameter}=${preview.data.token}${fileVersion}`;
  }
  return preview.isError ? playbackUrl : undefined;
}

export const useAsset = (id: string, timing: QueryTiming<Asset> = {}) =>
  useQuery({
    queryKey: oneAssetKey(id),
    queryFn: ({ signal }) => callEndpoint(getAsset, { params: { id } }, { signal }),
    ...timing,
  });

/** Shows the new name immediately and reverts it if the request fails. */
export function useRenameAsset(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => callEndpoint(updateAsset, { params: { id }, body: { name } }),
    onMutate: async (name) => {
      await client.cancelQueries({ queryKey: oneAssetKey(id) });
      const previousAsset = client.getQueryData<Asset>(oneAssetKey(id));
      if (previousAsset) client.setQueryData(oneAssetKey(id), { ...previousAsset, name });
      return previousAsset;
    },
    onError: (_error, _name, previousAsset) => client.setQueryData(oneAssetKey(id), previousAsset),
    onSettled: () => client.invalidateQueries({ queryKey: assetsKey }),
  });
}

export function useUpdateAsset(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof updateAsset>>) =>
      callEndpoint(updateAsset, { params: { id }, body }),
    onSuccess: (asset) => client.setQueryData(oneAssetKey(id), asset),
    onSettled: () => client.invalidateQueries({ queryKey: assetsKey }),
  });
}

/** A change of the selected assets. Deleted and restored assets leave the list immediately. */
type AssetBulkAction =
  | 'delete'
  | 'restore'
  | { readonly addTag: string }
  | { readonly playbackPolicy: PlaybackPolicyInput | null };

const withTag = (asset: Asset, tag: string): string[] => [...new Set([...(asset.tags ?? []), tag])];

async function runOnAsset(id: string, action: AssetBulkAction): Promise<unknown> {
  const params = { id };
  if (action === 'delete') return callEndpoint(deleteAsset, { params });
  if (action === 'restore') return callEndpoint(restoreAsset, { params });
  if ('playbackPolicy' in action) return callEndpoint(updateAsset, { params, body: action });
  const asset = await callEndpoint(getAsset, { params });
  return callEndpoint(updateAsset, { params, body: { tags: withTag(asset, action.addTag) } });
}

export const useBulkAssets = () =>
  useBulk<Asset, AssetBulkAction>({
    listsKey: assetListsKey,
    keysToInvalidate: [assetsKey, tasksKey],
    runOne: runOnAsset,
    updatePage: (page, ids, action) => {
      if (typeof action === 'string') return withoutRows(page, ids);
      // The service derives further fields from the policy, so the page is read again.
      if ('playbackPolicy' in action) return page;
      const withAddedTag = (asset: Asset) =>
        ids.has(asset.id) ? { ...asset, tags: withTag(asset, action.addTag) } : asset;
      return { ...page, items: page.items.map(withAddedTag) };
    },
    keyToRemove: (id, action) => (action === 'delete' ? oneAssetKey(id) : null),
  });

/** Restores a deleted asset, within seven days. */
export const useRestoreAsset = () =>
  useAssetMutation((id: string) => callEndpoint(restoreAsset, { params: { id } }));

/**
 * Reads the first 1,000 assets of a list, with its filters and order; further ones are left out.
 * @throws ApiCallError
 */
export const readWholeAssetList = async (query: AssetListQuery) =>
  (await callListEndpoint(listAssets, { query: wholeListQuery(query) })).items;

function useAssetMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => invalidateAssetsAndTasks(client) });
}

/** Lets the service download a file as a new asset. `convert`: other formats than H.264 and AAC are converted. */
export const useImportAsset = () =>
  useAssetMutation((body: BodyInput<EndpointOf<typeof importAsset>>) =>
    callEndpoint(importAsset, { body: { ...body, convert: true } }),
  );

/** Lets the service download the file that replaces the file of an asset. `convert`: as for an import. */
export const useReplaceFromUrl = (id: string) =>
  useAssetMutation((url: string) =>
    callEndpoint(replaceAsset, { params: { id }, body: { url, convert: true } }),
  );

export const useExportAsset = (id: string) =>
  useAssetMutation((body: BodyInput<EndpointOf<typeof exportAsset>>) =>
    callEndpoint(exportAsset, { params: { id }, body }),
  );

export const useTranscodeAsset = (id: string) =>
  useAssetMutation((body: BodyInput<EndpointOf<typeof transcodeAsset>>) =>
    callEndpoint(transcodeAsset, { params: { id }, body }),
  );

export const useCreateClip = () =>
  useAssetMutation((body: BodyInput<EndpointOf<typeof createClip>>) => callEndpoint(createClip, { body }));

/** Refetches assets and tasks, because mutations of assets create tasks. */
function invalidateAssetsAndTasks(client: QueryClient) {
  return Promise.all([
    client.invalidateQueries({ queryKey: assetsKey }),
    client.invalidateQueries({ queryKey: tasksKey }),
  ]);
}
