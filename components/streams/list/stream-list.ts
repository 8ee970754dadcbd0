import { listQueryOf, type ListShape, type ListState } from '@/components/ui/table/list-state';

export type StreamSortField = 'name' | 'createdAt' | 'lastSeen';

/** Chips above the list; 'all' is no filter. */
export const streamFilters = ['all', 'live', 'idle', 'recording', 'suspended'] as const;

export const streamListShape: ListShape<StreamSortField> = {
  filters: { status: streamFilters },
  sorts: ['name', 'createdAt', 'lastSeen'],
  sort: 'lastSeen',
  descending: true,
  grid: true,
};

const conditions: Readonly<Record<string, readonly { id: string; value: boolean }[]>> = {
  live: [{ id: 'isActive', value: true }],
  idle: [
    { id: 'isActive', value: false },
    { id: 'suspended', value: false },
  ],
  recording: [{ id: 'record', value: true }],
  suspended: [{ id: 'suspended', value: true }],
};

/** The state as the query of GET /api/stream. */
export function streamListQueryOf(state: ListState<StreamSortField>) {
  const query = listQueryOf(state, conditions[state.filters.status ?? ''] ?? []);
  // Streams that never were live have one "last live" in common: the newest of them first.
  const order = state.sort === 'lastSeen' ? `${query.order},createdAt-${state.descending}` : query.order;
  return { ...query, order, streamsonly: '1' };
}
