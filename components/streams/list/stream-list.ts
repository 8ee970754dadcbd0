import { listQueryOf, type ListOptions, type ListState } from '@/components/ui/table/list-state';

export type StreamSortField = 'name' | 'createdAt' | 'lastSeen';

/** Filter chips above the list; 'all' disables the filter. */
export const streamFilters = ['all', 'live', 'idle', 'recording', 'suspended'] as const;

export const streamListOptions: ListOptions<StreamSortField> = {
  filters: { status: streamFilters },
  sorts: ['name', 'createdAt', 'lastSeen'],
  sort: 'lastSeen',
  descending: true,
  grid: true,
};

/** Filters of the API for each filter chip except `all`. */
const conditions: Readonly<Record<string, readonly { id: string; value: boolean }[]>> = {
  live: [{ id: 'isActive', value: true }],
  idle: [
    { id: 'isActive', value: false },
    { id: 'suspended', value: false },
  ],
  recording: [{ id: 'record', value: true }],
  suspended: [{ id: 'suspended', value: true }],
};

/** Query of GET /api/stream for the state of the list. `streamsonly` excludes sessions, which are stream objects too. */
export function streamListQueryOf(state: ListState<StreamSortField>) {
  const query = listQueryOf(state, conditions[state.filters.status ?? ''] ?? []);
  return {
    ...query,
    order: state.sort === 'lastSeen' ? lastLiveOrder(state) : query.order,
    streamsonly: '1',
  };
}

/**
 * Order by the last session, as a list of fields with `true` for descending. Streams that were never live come last,
 * newest first. The order `lastSeen` of the API would mix them with the other streams by their creation date.
 */
const lastLiveOrder = ({ descending }: ListState<StreamSortField>) =>
  `lastLive-${descending},createdAt-${descending}`;
