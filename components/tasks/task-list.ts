import { listQueryOf, type ListOptions, type ListState } from '@/components/ui/table/list-state';

type TaskSortField = 'createdAt';

/** Filter chips by phase above the list; 'all' disables the filter. */
export const taskFilters = ['all', 'running', 'waiting', 'completed', 'failed', 'cancelled'] as const;

/** Values of the filter by type; 'all' disables the filter. */
export const taskTypes = ['all', 'import', 'transcode', 'clip', 'transcribe', 'export'] as const;

export const taskListOptions: ListOptions<TaskSortField> = {
  filters: {
    status: taskFilters,
    type: taskTypes,
    // Id of a single task, for links to one task.
    task: 'any',
  },
  sorts: ['createdAt'],
  sort: 'createdAt',
  descending: true,
};

/** Query of GET /api/task for the state of the list. */
export function taskListQueryOf(state: ListState<TaskSortField>) {
  const { status, type, task } = state.filters;
  // Tasks have no names to search for.
  return listQueryOf({ ...state, search: '' }, [
    ...(status ? [{ id: 'phase', value: status }] : []),
    ...(type ? [{ id: 'type', value: type }] : []),
    ...(task ? [{ id: 'id', value: task }] : []),
  ]);
}
