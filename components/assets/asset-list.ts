import { listQueryOf, type ListShape, type ListState } from '@/components/ui/table/list-state';

export type AssetSortField = 'name' | 'createdAt' | 'updatedAt';

/** Chips above the list; 'all' is no filter. */
export const assetFilters = [
  'all',
  'ready',
  'processing',
  'uploading',
  'waiting',
  'failed',
  'deleted',
] as const;

export const assetSources = ['all', 'directUpload', 'url', 'recording', 'clip'] as const;

export const assetListShape: ListShape<AssetSortField> = {
  filters: {
    status: assetFilters,
    source: assetSources,
  },
  sorts: ['name', 'createdAt', 'updatedAt'],
  sort: 'createdAt',
  descending: true,
  grid: true,
};

/** The state as the query of GET /api/asset. */
export function assetListQueryOf(state: ListState<AssetSortField>) {
  const { status, source } = state.filters;
  const search = state.search.trim();
  // Not the filter of names: tags are searched, too.
  const query = listQueryOf({ ...state, search: '' }, [
    ...(status && status !== 'deleted' ? [{ id: 'phase', value: status }] : []),
    ...(source ? [{ id: 'sourceType', value: source }] : []),
  ]);
  return {
    ...query,
    ...(search === '' ? {} : { search }),
    ...(status === 'deleted' ? { deleted: '1' } : {}),
  };
}
