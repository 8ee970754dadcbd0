import { ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { IfPermitted } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { ProgressBar } from '@/components/ui/progress-bar';
import { RelativeTime } from '@/components/ui/relative-time';
import { StatusPill } from '@/components/ui/status-pill';
import type { Task } from '@/lib/contract/tasks/task';
import { isFinalTaskPhase } from '@/lib/core/tasks/task-state';
import { RetryTaskButton, useRetryOffer } from './retry-task';
import { adviceFor, failureText, taskKind, taskProgressText, taskStatus } from './task-text';
import { useTranslateMessage } from '@/components/i18n/reasons';

/** Why a task failed or is retried. The advice is omitted if the retry button already does what it says. */
export function TaskFailureNote({ task }: { task: Task }) {
  const t = useTranslations('tasks.taskText');
  const failure = failureText(t, task, useTranslateMessage());
  const offer = useRetryOffer()(task);
  if (failure === null) return null;
  return (
    <div className="text-sm wrap-anywhere">
      <p className={task.status.phase === 'failed' ? 'text-live-ink' : 'text-warn-ink'}>{failure}</p>
      {offer !== 'convert' && <FailureAdvice reason={task.status.errorMessage ?? ''} />}
    </div>
  );
}

/**
 * Advice about a known failure; renders nothing for other failures.
 * @param reason English message of the service
 */
export function FailureAdvice({ reason }: { reason: string }) {
  const t = useTranslations('tasks.taskText');
  // A command is at the end of the text, and is shown as code.
  const [adviceText, command] = adviceFor(t, reason)?.split(/(?=ffmpeg )/) ?? [];
  if (!adviceText) return null;
  return (
    <p className="text-ink-2 text-sm wrap-anywhere">
      {adviceText}
      {command && (
        <code className="bg-sunken mt-1 block rounded-sm px-2 py-1 font-mono text-xs">{command}</code>
      )}
    </p>
  );
}

interface TaskNoteListProps {
  tasks: readonly Task[];
  /** Id of the asset of this page. Only other assets are linked. */
  assetId: string;
  onCancel: (task: Task) => void;
  onRetry: (task: Task, convert?: true) => void;
}

/** The tasks of one asset, newest first. */
export function TaskNoteList({ tasks, assetId, onCancel, onRetry }: TaskNoteListProps) {
  const t = useTranslations('tasks.taskNotes');
  return (
    <ul aria-label={t('tasks')} className="-my-3 divide-y">
      {tasks.map((task) => (
        <TaskNote
          key={task.id}
          task={task}
          assetId={assetId}
          onCancel={() => onCancel(task)}
          onRetry={onRetry}
        />
      ))}
    </ul>
  );
}

interface TaskNoteProps {
  task: Task;
  assetId: string;
  onCancel: () => void;
  onRetry: (task: Task, convert?: true) => void;
}

function TaskNote({ task, assetId, onCancel, onRetry }: TaskNoteProps) {
  const t = useTranslations('tasks.taskNotes');
  const tTaskText = useTranslations('tasks.taskText');
  const { tone, label } = taskStatus(tTaskText, task);
  const { phase, progress } = task.status;
  const outputAssetId = task.outputAssetId === assetId ? undefined : task.outputAssetId;
  return (
    <li className="grid gap-1.5 py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">{taskKind(tTaskText, task)}</span>
        <StatusPill tone={tone}>{label}</StatusPill>
      </div>
      {phase === 'running' && (
        <>
          <ProgressBar label={taskKind(tTaskText, task)} value={progress ?? null} />
          <span className="text-ink-2 text-sm tabular-nums">{taskProgressText(tTaskText, task)}</span>
        </>
      )}
      <TaskFailureNote task={task} />
      <div className="text-ink-3 flex min-h-6 flex-wrap items-center justify-between gap-2 text-sm">
        <RelativeTime at={task.createdAt} />
        <IfPermitted>
          {!isFinalTaskPhase(phase) && (
            <Button size="sm" variant="ghost" onClick={onCancel} className="-mr-3">
              {t('cancel')}
            </Button>
          )}
        </IfPermitted>
        <RetryTaskButton task={task} onRetry={onRetry} className="-mr-3" />
        {outputAssetId !== undefined && phase === 'completed' && (
          <Link
            href={`/assets/${outputAssetId}`}
            className="text-accent-ink inline-flex items-center gap-1 rounded-sm underline-offset-4 hover:underline"
          >
            {t('newAsset')}
            <ArrowRight aria-hidden="true" className="size-3.5" />
          </Link>
        )}
      </div>
    </li>
  );
}
