'use client';

import { useTranslations } from 'use-intl';
import { TaskNoteList } from './task-notes';
import { Panel } from '@/components/ui/panel';
import type { Task } from '@/lib/contract/tasks/task';
import { useTasks } from '@/lib/client/queries/task-queries';
import { useTaskActions } from './use-task-actions';

const REFRESH_INTERVAL_MS = 2000;
const MAX_TASKS = '10';

/** Query for tasks with a filter of the API, such as `outputAssetId`. */
const tasksQuery = (filter: string, assetId: string) => ({
  limit: MAX_TASKS,
  filters: JSON.stringify([{ id: filter, value: assetId }]),
});

/** The tasks that created or used an asset, newest first. */
export function useAssetTasks(assetId: string): readonly Task[] {
  const outputTasks = useTasks(tasksQuery('outputAssetId', assetId), {
    refetchInterval: REFRESH_INTERVAL_MS,
  });
  const inputTasks = useTasks(tasksQuery('inputAssetId', assetId), { refetchInterval: REFRESH_INTERVAL_MS });
  const tasks = [...(inputTasks.data?.items ?? []), ...(outputTasks.data?.items ?? [])];
  // Removes duplicates: a task that replaces the file of an asset is in both lists.
  return [...new Map(tasks.map((task) => [task.id, task])).values()].sort(
    (a, b) => b.createdAt - a.createdAt,
  );
}

/** Panel with the tasks that created or used an asset; renders nothing without tasks. */
export function AssetTasksPanel({ assetId }: { assetId: string }) {
  const t = useTranslations('tasks.assetTasks');
  const actions = useTaskActions();
  const tasks = useAssetTasks(assetId);
  if (tasks.length === 0) return null;
  return (
    <Panel title={t('tasks')}>
      <TaskNoteList tasks={tasks} assetId={assetId} {...actions} />
    </Panel>
  );
}
