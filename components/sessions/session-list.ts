import { listQueryOf, type ListOptions, type ListState } from '@/components/ui/table/list-state';

export type SessionSortField = 'lastSeen' | 'createdAt' | 'sourceSegmentsDuration';

/** Values of the filter that shows only recorded or only unrecorded sessions; 'all' shows both. */
export const recordedFilterValues = ['all', 'yes', 'no'] as const;

export const sessionListOptions: ListOptions<SessionSortField> = {
  filters: { recorded: recordedFilterValues, stream: 'any' }, // `stream` is the id of a stream
  sorts: ['lastSeen', 'createdAt', 'sourceSegmentsDuration'],
  sort: 'createdAt',
  descending: true,
};

/** Query of GET /api/session for the state of the list. */
export function sessionListQueryOf(state: ListState<SessionSortField>) {
  const { recorded, stream: streamId } = state.filters;
  const conditions = recorded ? [{ id: 'record', value: recorded === 'yes' }] : [];
  return { ...listQueryOf(state, conditions), ...(streamId ? { parentId: streamId } : {}) };
}
