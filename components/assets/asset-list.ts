import { listQueryOf, type ListShape, type ListState } from '@/components/ui/table/list-state';

export type AssetSortField = 'name' | 'createdAt' | 'updatedAt';

/** Chips above the list; 'all' is no filter. */
export const assetFilters = [
  { value: 'all', label: 'All' },
  { value: 'ready', label: 'Ready' },
  { value: 'processing', label: 'Processing' },
  { value: 'uploading', label: 'Uploading' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'failed', label: 'Failed' },
  { value: 'deleted', label: 'Deleted' },
] as const;

export const assetSources = [
  { value: 'all', label: 'All sources' },
  { value: 'directUpload', label: 'Uploads' },
  { value: 'url', label: 'Imports' },
  { value: 'recording', label: 'Recordings' },
] as const;

export const assetListShape: ListShape<AssetSortField> = {
  filters: {
    status: assetFilters.map(({ value }) => value),
    source: assetSources.map(({ value }) => value),
  },
  sorts: ['name', 'createdAt', 'updatedAt'],
  sort: 'createdAt',
  descending: true,
  grid: true,
};

/** The state as the query of GET /api/asset. */
export function assetListQueryOf(state: ListState<AssetSortField>) {
  const { status, source } = state.filters;
  const query = listQueryOf(state, [
    ...(status && status !== 'deleted' ? [{ id: 'phase', value: status }] : []),
    ...(source ? [{ id: 'sourceType', value: source }] : []),
  ]);
  return status === 'deleted' ? { ...query, deleted: '1' } : query;
}
