import { Ban, Code, Copy, Ellipsis, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { Cell, Column, Row, Table } from '@/components/ui/table';
import type { Task } from '@/lib/contract/task';
import { isFinalTaskPhase } from '@/lib/core/task-state';
import { TaskFailure } from './task-failure';
import { TaskProgress } from './task-progress';
import { taskKind } from './task-words';

interface TaskTableProps {
  /** undefined = not loaded yet. */
  tasks: readonly Task[] | undefined;
  /** The assets of a task, by name. */
  assetOf: (task: Task) => ReactNode;
  onCopy: (what: 'id' | 'curl', task: Task) => void;
  onCancel: (task: Task) => void;
  onRetry: (task: Task) => void;
}

const SKELETON_ROWS = 6;

export function TaskTable({ tasks, ...props }: TaskTableProps) {
  return (
    <Table
      label="Tasks"
      head={
        <>
          <Column className="w-56">Task</Column>
          <Column>Asset</Column>
          <Column className="w-48">Status</Column>
          <Column className="w-32">Created</Column>
          <Column className="w-14">
            <span className="sr-only">Actions</span>
          </Column>
        </>
      }
    >
      {tasks
        ? tasks.map((task) => <TaskRow key={task.id} task={task} {...props} />)
        : Array.from({ length: SKELETON_ROWS }, (_, index) => <SkeletonRow key={index} />)}
    </Table>
  );
}

function TaskRow({
  task,
  assetOf,
  onCopy,
  onCancel,
  onRetry,
}: Omit<TaskTableProps, 'tasks'> & { task: Task }) {
  return (
    <Cells
      kind={<span className="font-medium">{taskKind(task)}</span>}
      asset={
        <div className="grid gap-1 max-sm:justify-items-start sm:py-3">
          {assetOf(task)}
          <TaskFailure task={task} />
        </div>
      }
      status={<TaskProgress task={task} />}
      created={<RelativeTime at={task.createdAt} />}
      menu={
        <Menu
          trigger={
            <Button variant="ghost" size="icon" aria-label={`Actions for the task ${taskKind(task)}`}>
              <Ellipsis aria-hidden="true" />
            </Button>
          }
        >
          <MenuItem onSelect={() => onCopy('id', task)}>
            <Copy aria-hidden="true" />
            Copy task ID
          </MenuItem>
          <MenuItem onSelect={() => onCopy('curl', task)}>
            <Code aria-hidden="true" />
            Copy as curl
          </MenuItem>
          {(task.status.phase === 'failed' || task.status.phase === 'cancelled') && (
            <>
              <MenuSeparator />
              <MenuItem onSelect={() => onRetry(task)}>
                <RotateCw aria-hidden="true" />
                Try again
              </MenuItem>
            </>
          )}
          {!isFinalTaskPhase(task.status.phase) && (
            <>
              <MenuSeparator />
              <MenuItem danger onSelect={() => onCancel(task)}>
                <Ban aria-hidden="true" />
                Cancel task
              </MenuItem>
            </>
          )}
        </Menu>
      }
    />
  );
}

function SkeletonRow() {
  return (
    <Cells
      kind={<Skeleton className="h-4 w-32" />}
      asset={<Skeleton className="h-4 w-40" />}
      status={<Skeleton className="h-6 w-24 rounded-full" />}
      created={<Skeleton className="h-4 w-20" />}
      menu={<Skeleton className="size-8" />}
    />
  );
}

/** One row, so that the still shapes stand exactly where the data will. */
function Cells(cells: Record<'kind' | 'asset' | 'status' | 'created' | 'menu', ReactNode>) {
  return (
    <Row>
      <Cell className="max-sm:pr-10">{cells.kind}</Cell>
      <Cell label="Asset" className="max-sm:items-start">
        {cells.asset}
      </Cell>
      <Cell label="Status">{cells.status}</Cell>
      <Cell label="Created" className="whitespace-nowrap">
        {cells.created}
      </Cell>
      <Cell className="max-sm:absolute max-sm:top-2 max-sm:right-2">{cells.menu}</Cell>
    </Row>
  );
}
