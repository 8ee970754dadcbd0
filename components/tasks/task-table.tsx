import { Ban, Code, Copy, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { DataTable, type DataColumn } from '@/components/ui/data-table';
import { MenuItem, MenuSeparator } from '@/components/ui/menu';
import { RelativeTime } from '@/components/ui/relative-time';
import { RowMenu } from '@/components/ui/row-menu';
import type { Task } from '@/lib/contract/task';
import { isFinalTaskPhase } from '@/lib/core/task-state';
import { TaskFailure } from './task-failure';
import { TaskProgress } from './task-progress';
import { taskKind } from './task-words';

interface TaskActions {
  onCopy: (what: 'id' | 'curl', task: Task) => void;
  onCancel: (task: Task) => void;
  onRetry: (task: Task) => void;
}

interface TaskTableProps extends TaskActions {
  /** undefined = not loaded yet. */
  tasks: readonly Task[] | undefined;
  /** The assets of a task, by name. */
  assetOf: (task: Task) => ReactNode;
}

export function TaskTable({ tasks, assetOf, ...actions }: TaskTableProps) {
  return (
    <DataTable
      label="Tasks"
      columns={columnsOf(assetOf)}
      rows={tasks}
      nameOf={taskKind}
      menu={(task) => <TaskMenu task={task} {...actions} />}
    />
  );
}

const columnsOf = (assetOf: TaskTableProps['assetOf']): readonly DataColumn<Task>[] => [
  {
    head: 'Task',
    width: 'w-56',
    still: 'h-4 w-32',
    cell: (task) => <span className="font-medium">{taskKind(task)}</span>,
  },
  {
    head: 'Asset',
    still: 'h-4 w-40',
    className: 'max-sm:items-start',
    cell: (task) => (
      <div className="grid gap-1 max-sm:justify-items-start sm:py-3">
        {assetOf(task)}
        <TaskFailure task={task} />
      </div>
    ),
  },
  {
    head: 'Status',
    width: 'w-48',
    still: 'h-6 w-24 rounded-full',
    cell: (task) => <TaskProgress task={task} />,
  },
  {
    head: 'Created',
    width: 'w-32',
    still: 'h-4 w-20',
    className: 'whitespace-nowrap',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

function TaskMenu({ task, onCopy, onCancel, onRetry }: TaskActions & { task: Task }) {
  const { phase } = task.status;
  return (
    <RowMenu of={`the task ${taskKind(task)}`}>
      <MenuItem onSelect={() => onCopy('id', task)}>
        <Copy aria-hidden="true" />
        Copy task ID
      </MenuItem>
      <MenuItem onSelect={() => onCopy('curl', task)}>
        <Code aria-hidden="true" />
        Copy as curl
      </MenuItem>
      {(phase === 'failed' || phase === 'cancelled') && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={() => onRetry(task)}>
            <RotateCw aria-hidden="true" />
            Try again
          </MenuItem>
        </>
      )}
      {!isFinalTaskPhase(phase) && (
        <>
          <MenuSeparator />
          <MenuItem danger onSelect={() => onCancel(task)}>
            <Ban aria-hidden="true" />
            Cancel task
          </MenuItem>
        </>
      )}
    </RowMenu>
  );
}
