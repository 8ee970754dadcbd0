import type { Task } from '@/lib/contract/task';
import { adviceFor, failureWords } from './task-words';

/** Why a task failed, or is tried again, and what to do about it; a command in the advice can be copied by hand. */
export function TaskFailure({ task }: { task: Pick<Task, 'status'> }) {
  const words = failureWords(task);
  if (words === null) return null;
  const [before = '', command] = adviceFor(words)?.split(/(?=ffmpeg )/) ?? [];
  return (
    <div className="text-sm wrap-anywhere">
      <p className={task.status.phase === 'failed' ? 'text-live-ink' : 'text-warn-ink'}>{words}</p>
      {before && (
        <p className="text-ink-2">
          {before}
          {command && (
            <code className="bg-sunken mt-1 block rounded-sm px-2 py-1 font-mono text-xs">{command}</code>
          )}
        </p>
      )}
    </div>
  );
}
