import { listQueryOf, type ListShape, type ListState } from '@/components/ui/table/list-state';

type TaskSortField = 'createdAt';

/** Chips above the list; 'all' is no filter. */
export const taskFilters = [
  { value: 'all', label: 'All' },
  { value: 'running', label: 'Running' },
  { value: 'waiting', label: 'Queued' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
] as const;

export const taskTypes = [
  { value: 'all', label: 'All types' },
  { value: 'import', label: 'Uploads and imports' },
  { value: 'transcode', label: 'Transcodes' },
  { value: 'export', label: 'Exports' },
] as const;

export const taskListShape: ListShape<TaskSortField> = {
  filters: {
    status: taskFilters.map(({ value }) => value),
    type: taskTypes.map(({ value }) => value),
    // One task: a link can lead to it.
    task: 'any',
  },
  sorts: ['createdAt'],
  sort: 'createdAt',
  descending: true,
};

/** The state as the query of GET /api/task. */
export function taskListQueryOf(state: ListState<TaskSortField>) {
  const { status, type, task } = state.filters;
  // A task has no name of its own to search for.
  return listQueryOf({ ...state, search: '' }, [
    ...(status ? [{ id: 'phase', value: status }] : []),
    ...(type ? [{ id: 'type', value: type }] : []),
    ...(task ? [{ id: 'id', value: task }] : []),
  ]);
}
