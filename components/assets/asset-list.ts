import { playbackPolicyTypes } from '@/lib/core/access/playback-policy';
import { listQueryOf, type ListOptions, type ListState } from '@/components/ui/table/list-state';

export type AssetSortField = 'name' | 'createdAt' | 'updatedAt' | 'views' | 'deliveredMinutes';

/** Filter chips above the list; 'all' disables the filter. */
export const assetFilters = [
  'all',
  'ready',
  'processing',
  'uploading',
  'waiting',
  'failed',
  'deleted',
] as const;

/** Sources that the list can be filtered by; 'all' disables the filter. */
export const assetSources = ['all', 'directUpload', 'url', 'recording', 'clip'] as const;

/** Playback policies that the list can be filtered by; 'all' disables the filter. */
export const assetPolicies = ['all', ...playbackPolicyTypes] as const;

export const assetListOptions: ListOptions<AssetSortField> = {
  filters: {
    status: assetFilters,
    source: assetSources,
    policy: assetPolicies,
  },
  sorts: ['name', 'createdAt', 'updatedAt', 'views', 'deliveredMinutes'],
  sort: 'createdAt',
  descending: true,
  grid: true,
};

/** Query of GET /api/asset for the state of the list. */
export function assetListQueryOf(state: ListState<AssetSortField>) {
  const { status, source, policy } = state.filters;
  const search = state.search.trim();
  // The search text has its own parameter, because the search also covers tags.
  const query = listQueryOf({ ...state, search: '' }, [
    ...(status && status !== 'deleted' ? [{ id: 'phase', value: status }] : []),
    ...(source ? [{ id: 'sourceType', value: source }] : []),
  ]);
  return {
    ...query,
    ...(search === '' ? {} : { search }),
    ...(policy ? { policy } : {}),
    ...(status === 'deleted' ? { deleted: '1' } : {}),
  };
}
