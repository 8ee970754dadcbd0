import { listQueryOf, type ListShape, type ListState } from '@/components/ui/table/list-state';

type TaskSortField = 'createdAt';

/** Chips above the list; 'all' is no filter. */
export const taskFilters = ['all', 'running', 'waiting', 'completed', 'failed', 'cancelled'] as const;

export const taskTypes = ['all', 'import', 'transcode', 'clip', 'transcribe', 'export'] as const;

export const taskListShape: ListShape<TaskSortField> = {
  filters: {
    status: taskFilters,
    type: taskTypes,
    // Id of one task, for links to it.
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
