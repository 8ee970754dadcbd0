import { useTranslations } from 'use-intl';
import { ProgressBar } from '@/components/ui/progress-bar';
import { StatusPill } from '@/components/ui/status-pill';
import type { Task } from '@/lib/contract/tasks/task';
import { taskProgressText, taskStatus } from './task-text';

/** The state of a task, with a bar while it runs. */
export function TaskProgress({ task }: { task: Task }) {
  const t = useTranslations('tasks.taskProgress');
  const tTaskText = useTranslations('tasks.taskText');
  const { tone, label } = taskStatus(tTaskText, task);
  const { phase, progress } = task.status;
  if (phase !== 'running') return <StatusPill tone={tone}>{label}</StatusPill>;
  return (
    <span className="grid w-44 gap-1.5">
      <span className="text-sm tabular-nums">{taskProgressText(tTaskText, task) ?? label}</span>
      <ProgressBar label={t('progress')} value={progress ?? null} />
    </span>
  );
}
