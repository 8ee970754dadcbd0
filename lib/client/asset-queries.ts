'use client';

import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import type { Asset } from '@/lib/contract/asset';
import { deleteAsset, getAsset, listAssets, restoreAsset, updateAsset } from '@/lib/contract/asset-endpoints';
import { exportAsset, importAsset, transcodeAsset } from '@/lib/contract/asset-work-endpoints';
import type { BodyInput, Page, QueryInput } from '@/lib/contract/define-endpoint';
import { call, callList } from './call';
import { tasksKey } from './task-queries';

export type AssetListQuery = QueryInput<typeof listAssets>;

export const assetsKey = ['assets'] as const;
const keys = {
  lists: ['assets', 'list'],
  list: (query: AssetListQuery) => ['assets', 'list', query],
  one: (id: string) => ['assets', 'one', id],
} as const;

interface Watching {
  /** Milliseconds between reads; left out or false = only when something changes here. */
  readonly refetchInterval?: number | false;
  readonly staleTime?: number;
  readonly enabled?: boolean;
}

/** One page of assets; the page before stays on screen while the next one loads. */
export const useAssets = (query: AssetListQuery, watching: Watching = {}) =>
  useQuery({
    queryKey: keys.list(query),
    queryFn: ({ signal }) => callList(listAssets, { query }, { signal }),
    placeholderData: keepPreviousData,
    ...watching,
  });

export const useAsset = (id: string, watching: Watching = {}) =>
  useQuery({
    queryKey: keys.one(id),
    queryFn: ({ signal }) => call(getAsset, { params: { id } }, { signal }),
    ...watching,
  });

/** Shows the new name at once and takes it back when the server refuses. */
export function useRenameAsset(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call(updateAsset, { params: { id }, body: { name } }),
    onMutate: async (name) => {
      await client.cancelQueries({ queryKey: keys.one(id) });
      const before = client.getQueryData<Asset>(keys.one(id));
      if (before) client.setQueryData(keys.one(id), { ...before, name });
      return before;
    },
    onError: (_error, _name, before) => client.setQueryData(keys.one(id), before),
    onSettled: () => client.invalidateQueries({ queryKey: assetsKey }),
  });
}

/** So many requests of one deletion run at the same time. */
const atOnce = 5;

/**
 * Deletes assets: they leave the lists at once, and come back when the server refuses.
 * The result names those that were deleted; it is an error only when none was.
 */
export function useDeleteAssets() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const { done, errors } = await each(ids, (id) => call(deleteAsset, { params: { id } }));
      const [first] = errors;
      if (done.length === 0 && first) throw first;
      return { deleted: done, failed: errors.length };
    },
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey: keys.lists });
      const before = client.getQueriesData<Page<Asset>>({ queryKey: keys.lists });
      for (const [key, page] of before) if (page) client.setQueryData(key, without(page, ids));
      return before;
    },
    onError: (_error, _ids, before) => {
      for (const [key, page] of before ?? []) client.setQueryData(key, page);
    },
    onSuccess: ({ deleted }) => {
      for (const id of deleted) client.removeQueries({ queryKey: keys.one(id) });
    },
    onSettled: () => refresh(client),
  });
}

/** Takes deletions back, within seven days. */
export function useRestoreAssets() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const { done, errors } = await each(ids, (id) => call(restoreAsset, { params: { id } }));
      const [first] = errors;
      if (done.length === 0 && first) throw first;
      return { restored: done, failed: errors.length };
    },
    onSuccess: () => refresh(client),
  });
}

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

/** What changes assets makes tasks, too. */
function refresh(client: QueryClient) {
  return Promise.all([
    client.invalidateQueries({ queryKey: assetsKey }),
    client.invalidateQueries({ queryKey: tasksKey }),
  ]);
}

function without(page: Page<Asset>, ids: readonly string[]): Page<Asset> {
  const items = page.items.filter(({ id }) => !ids.includes(id));
  const total = page.total === null ? null : page.total - (page.items.length - items.length);
  return { ...page, items, total };
}

async function each(ids: readonly string[], act: (id: string) => Promise<unknown>) {
  const [left, done, errors]: [string[], string[], Error[]] = [[...ids], [], []];
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const one = id;
      await act(one).then(
        () => done.push(one),
        (error: unknown) => errors.push(error instanceof Error ? error : new Error(String(error))),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { done, errors };
}
