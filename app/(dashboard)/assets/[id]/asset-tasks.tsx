'use client';

import { toast } from 'sonner';
import { TaskNotes } from '@/components/tasks/task-notes';
import { Panel } from '@/components/ui/panel';
import { useCancelTask, useTasks } from '@/lib/client/task-queries';

const REFRESH_MS = 2000;
const SHOWN = '10';

const tasksWhere = (id: string, value: string) => ({
  limit: SHOWN,
  filters: JSON.stringify([{ id, value }]),
});

/** What was and is done with an asset: the task that made it, and those that used it. */
export function AssetTasks({ id }: { id: string }) {
  const made = useTasks(tasksWhere('outputAssetId', id), { refetchInterval: REFRESH_MS });
  const used = useTasks(tasksWhere('inputAssetId', id), { refetchInterval: REFRESH_MS });
  const cancel = useCancelTask();
  const tasks = [...(used.data?.items ?? []), ...(made.data?.items ?? [])].sort(
    (a, b) => b.createdAt - a.createdAt,
  );
  if (tasks.length === 0) return null;
  return (
    <Panel title="Tasks">
      <TaskNotes
        tasks={tasks}
        assetId={id}
        onCancel={(task) =>
          cancel.mutate(task.id, {
            onError: (error) => toast.error('It was not cancelled', { description: error.message }),
          })
        }
      />
    </Panel>
  );
}
