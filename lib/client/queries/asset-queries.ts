'use client';

import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Asset } from '@/lib/contract/assets/asset';
import {
  deleteAsset,
  exportAsset,
  getAsset,
  importAsset,
  listAssets,
  restoreAsset,
  transcodeAsset,
  updateAsset,
} from '@/lib/contract/assets/asset-endpoints';
import { createClip } from '@/lib/contract/assets/clip';
import type { BodyInput } from '@/lib/contract/define-endpoint';
import { call, callList } from '@/lib/client/call';
import { wholeList, without } from '@/lib/client/list-cache';
import {
  assetListKey,
  assetListsKey,
  assetsKey,
  oneAssetKey,
  type AssetListQuery,
} from '@/lib/client/query-keys';
import { tasksKey } from './task-queries';
import { useBulk } from '@/lib/client/use-bulk';

interface Watching {
  /** Milliseconds between reads; left out or false = only when something changes here. */
  readonly refetchInterval?: number | false;
  readonly staleTime?: number;
  readonly enabled?: boolean;
}

/** One page of assets; the page before stays on screen while the next one loads. */
export const useAssets = (query: AssetListQuery, watching: Watching = {}) =>
  useQuery({
    queryKey: assetListKey(query),
    queryFn: ({ signal }) => callList(listAssets, { query }, { signal }),
    placeholderData: keepPreviousData,
    ...watching,
  });

/** Names change rarely, and a list asks for many again and again. */
const namesFreshMs = 5 * 60_000;
/** As many as one filter may list. */
const mostNames = 100;

/** The names of these assets in one request, without those that are deleted; undefined until known. */
export function useAssetNames(ids: readonly string[]): ReadonlyMap<string, string> | undefined {
  const wanted = [...new Set(ids)].sort().slice(0, mostNames);
  const { data } = useAssets(
    { limit: String(mostNames), filters: JSON.stringify([{ id: 'id', value: wanted }]) },
    { enabled: wanted.length > 0, staleTime: namesFreshMs },
  );
  return useMemo(() => data && new Map(data.items.map(({ id, name }) => [id, name])), [data]);
}

export const useAsset = (id: string, watching: Watching = {}) =>
  useQuery({
    queryKey: oneAssetKey(id),
    queryFn: ({ signal }) => call(getAsset, { params: { id } }, { signal }),
    ...watching,
  });

/** Shows the new name at once and takes it back when the server refuses. */
export function useRenameAsset(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call(updateAsset, { params: { id }, body: { name } }),
    onMutate: async (name) => {
      await client.cancelQueries({ queryKey: oneAssetKey(id) });
      const before = client.getQueryData<Asset>(oneAssetKey(id));
      if (before) client.setQueryData(oneAssetKey(id), { ...before, name });
      return before;
    },
    onError: (_error, _name, before) => client.setQueryData(oneAssetKey(id), before),
    onSettled: () => client.invalidateQueries({ queryKey: assetsKey }),
  });
}

export function useUpdateAsset(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<typeof updateAsset>) => call(updateAsset, { params: { id }, body }),
    onSuccess: (asset) => client.setQueryData(oneAssetKey(id), asset),
    onSettled: () => client.invalidateQueries({ queryKey: assetsKey }),
  });
}

/** Deletes assets, or takes that back within seven days: either way they leave the list at once. */
export const useBulkAssets = () =>
  useBulk<Asset, 'delete' | 'restore'>({
    lists: assetListsKey,
    stale: [assetsKey, tasksKey],
    act: (id, order) => call(order === 'delete' ? deleteAsset : restoreAsset, { params: { id } }),
    shown: without,
    forget: (id, order) => (order === 'delete' ? oneAssetKey(id) : null),
  });

/** Takes a deletion back, within seven days. */
export const useRestoreAsset = () => useWork((id: string) => call(restoreAsset, { params: { id } }));

/** What a list shows on all its pages; at most a thousand. @throws ApiError */
export const listWholeAssets = async (query: AssetListQuery) =>
  (await callList(listAssets, { query: wholeList(query) })).items;

function useWork<I, O>(mutationFn: (input: I) => Promise<O>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => refresh(client) });
}

export const useImportAsset = () =>
  useWork((body: BodyInput<typeof importAsset>) => call(importAsset, { body }));

export const useExportAsset = (id: string) =>
  useWork((body: BodyInput<typeof exportAsset>) => call(exportAsset, { params: { id }, body }));

export const useTranscodeAsset = (id: string) =>
  useWork((body: BodyInput<typeof transcodeAsset>) => call(transcodeAsset, { params: { id }, body }));

export const useCreateClip = () =>
  useWork((body: BodyInput<typeof createClip>) => call(createClip, { body }));

/** What changes assets makes tasks, too. */
function refresh(client: QueryClient) {
  return Promise.all([
    client.invalidateQueries({ queryKey: assetsKey }),
    client.invalidateQueries({ queryKey: tasksKey }),
  ]);
}
