import { listQueryOf, type ListShape, type ListState } from '@/components/ui/table/list-state';

export type StreamSortField = 'name' | 'createdAt' | 'lastSeen';

/** Filter chips above the list; 'all' disables the filter. */
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

/** Query of GET /api/stream for the state of the list. */
export function streamListQueryOf(state: ListState<StreamSortField>) {
  const query = listQueryOf(state, conditions[state.filters.status ?? ''] ?? []);
  return { ...query, order: state.sort === 'lastSeen' ? lastLive(state) : query.order, streamsonly: '1' };
}

/**
 * Streams that were never live come last, newest first; the API's `lastSeen` order would mix them in by creation
 * date.
 */
const lastLive = ({ descending }: ListState<StreamSortField>) =>
  `lastLive-${descending},createdAt-${descending}`;
