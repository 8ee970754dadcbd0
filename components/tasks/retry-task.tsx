import { omitUndefined } from '@/lib/core/omit-undefined';
import { useTranslations } from 'use-intl';
import { useServerFeatures } from '@/components/shell/server-features';
import { IfPermitted } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import type { Task } from '@/lib/contract/tasks/task';
import { chooseRetryOffer } from '@/lib/core/tasks/retry-offer';
import { taskKind } from './task-text';

/** Function that returns how a task can be retried on this server; null if it cannot be retried. */
export function useRetryOffer(): (task: Task) => ReturnType<typeof chooseRetryOffer> {
  const { acceptMedia } = useServerFeatures();
  return ({ type, params, status }) =>
    chooseRetryOffer(
      {
        phase: status.phase,
        code: status.errorReason?.code,
        isUpload: params.import?.uploadedObjectKey !== undefined,
        isConversion: params.import?.convert === true,
        isImport: type === 'import',
      },
      { allowsConversion: acceptMedia === 'any' },
    );
}

interface RetryTaskButtonProps {
  task: Task;
  /** @param convert whether the service converts the file to MP4 */
  onRetry: (task: Task, convert?: true) => void;
  className?: string;
}

/** Button that retries a failed task, if that is possible. */
export function RetryTaskButton({ task, onRetry, className }: RetryTaskButtonProps) {
  const t = useTranslations('tasks.retryTask');
  const tTaskText = useTranslations('tasks.taskText');
  const offer = useRetryOffer()(task);
  if (offer === null) return null;
  return (
    <IfPermitted>
      <Button
        size="sm"
        variant="ghost"
        onClick={() => (offer === 'convert' ? onRetry(task, true) : onRetry(task))}
        {...omitUndefined({ className })}
      >
        {t.rich(offer, {
          kind: taskKind(tTaskText, task),
          hidden: (text) => <span className="sr-only">{text}</span>,
        })}
      </Button>
    </IfPermitted>
  );
}
