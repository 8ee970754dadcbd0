import { Ban, Code, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { IfPermitted } from '@/components/teams/use-team';
import { DataTable, type DataColumn } from '@/components/ui/table/data-table';
import { createdColumn } from '@/components/ui/table/list-columns';
import { MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { RowMenu } from '@/components/ui/table/row-menu';
import type { Task } from '@/lib/contract/tasks/task';
import { isFinalTaskPhase } from '@/lib/core/tasks/task-state';
import { RetryTaskButton } from './retry-task';
import { TaskFailureNote } from './task-notes';
import { TaskProgress } from './task-progress';
import { taskKind } from './task-text';

interface TaskActions {
  /** Copies the id, or a curl command that reads the task. */
  onCopy: (kind: 'id' | 'curl', task: Task) => void;
  onCancel: (task: Task) => void;
  onRetry: (task: Task, convert?: true) => void;
}

interface TaskTableProps extends TaskActions {
  /** Undefined while loading. */
  tasks: readonly Task[] | undefined;
  /** Renders the assets of a task. */
  renderAsset: (task: Task) => ReactNode;
}

/** Tasks with their assets, progress and actions. */
export function TaskTable({ tasks, renderAsset, onRetry, ...actions }: TaskTableProps) {
  const t = useTranslations('tasks.taskTable');
  const tTaskText = useTranslations('tasks.taskText');
  return (
    <DataTable
      label={t('tasks')}
      columns={columnsOf(t, tTaskText, { renderAsset, onRetry })}
      rows={tasks}
      nameOf={(task) => taskKind(tTaskText, task)}
      menu={(task) => <TaskMenu task={task} {...actions} />}
    />
  );
}

const columnsOf = (
  t: Translator<'tasks.taskTable'>,
  tTaskText: Translator<'tasks.taskText'>,
  { renderAsset, onRetry }: Pick<TaskTableProps, 'renderAsset' | 'onRetry'>,
): readonly DataColumn<Task>[] => [
  {
    head: t('task'),
    width: 'w-56',
    skeleton: 'h-4 w-32',
    cell: (task) => <span className="font-medium">{taskKind(tTaskText, task)}</span>,
  },
  {
    head: t('asset'),
    phone: true,
    skeleton: 'h-4 w-40',
    className: 'max-sm:items-start',
    cell: (task) => (
      <div className="grid gap-1 max-sm:justify-items-start sm:py-3">
        {renderAsset(task)}
        <TaskFailureNote task={task} />
      </div>
    ),
  },
  {
    head: t('status'),
    phone: true,
    width: 'w-52',
    skeleton: 'h-6 w-24 rounded-full',
    cell: (task) => (
      <div className="flex flex-wrap items-center gap-x-2">
        <TaskProgress task={task} />
        <RetryTaskButton task={task} onRetry={onRetry} className="sm:-ml-3" />
      </div>
    ),
  },
  { ...createdColumn, head: t('created') },
];

function TaskMenu({ task, onCopy, onCancel }: Pick<TaskActions, 'onCopy' | 'onCancel'> & { task: Task }) {
  const t = useTranslations('tasks.taskTable');
  const tTaskText = useTranslations('tasks.taskText');
  const { phase } = task.status;
  return (
    <RowMenu name={t('theTask', { kind: taskKind(tTaskText, task) })}>
      <MenuItem icon={Copy} onSelect={() => onCopy('id', task)}>
        {t('copyTaskId')}
      </MenuItem>
      <MenuItem icon={Code} onSelect={() => onCopy('curl', task)}>
        {t('copyAsCurl')}
      </MenuItem>
      {!isFinalTaskPhase(phase) && (
        <IfPermitted>
          <MenuSeparator />
          <MenuItem icon={Ban} danger onSelect={() => onCancel(task)}>
            {t('cancelTask')}
          </MenuItem>
        </IfPermitted>
      )}
    </RowMenu>
  );
}
