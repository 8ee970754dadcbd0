import { listQueryOf, type ListOptions, type ListState } from '@/components/ui/table/list-state';

export type SessionSortField = 'lastSeen' | 'createdAt' | 'sourceSegmentsDuration';

/** Filter chips above the list; 'all' disables the filter. */
export const sessionFilters = ['all', 'yes', 'no'] as const;

export const sessionListOptions: ListOptions<SessionSortField> = {
  filters: { recorded: sessionFilters, stream: 'any' },
  sorts: ['lastSeen', 'createdAt', 'sourceSegmentsDuration'],
  sort: 'createdAt',
  descending: true,
};

/** Query of GET /api/session for the state of the list. */
export function sessionListQueryOf(state: ListState<SessionSortField>) {
  const { recorded, stream } = state.filters;
  const conditions = recorded ? [{ id: 'record', value: recorded === 'yes' }] : [];
  return { ...listQueryOf(state, conditions), ...(stream ? { parentId: stream } : {}) };
}
