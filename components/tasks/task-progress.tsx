import { ProgressBar } from '@/components/ui/progress-bar';
import { StatusPill } from '@/components/ui/status-pill';
import type { Task } from '@/lib/contract/task';
import { taskStatus } from './task-words';

/** The state of a task, with a bar while it runs. */
export function TaskProgress({ task }: { task: Task }) {
  const { tone, label } = taskStatus(task);
  const { phase, progress } = task.status;
  if (phase !== 'running') return <StatusPill tone={tone}>{label}</StatusPill>;
  const value = progress ?? null;
  return (
    <span className="grid w-36 gap-1.5">
      <span className="text-sm">
        {label}
        {value !== null && <span className="text-ink-2"> · {Math.floor(value * 100)} %</span>}
      </span>
      <ProgressBar label="Progress" value={value} />
    </span>
  );
}
