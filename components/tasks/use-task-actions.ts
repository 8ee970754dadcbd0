'use client';

import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { useCancelTask, useRetryTask } from '@/lib/client/queries/task-queries';
import type { Task } from '@/lib/contract/tasks/task';

/** Functions that cancel a task or retry a failed one, and show the result. */
export function useTaskActions() {
  const t = useTranslations('tasks.useTaskActions');
  const { mutate: cancel } = useCancelTask();
  const { mutate: retry } = useRetryTask();
  return {
    onCancel: ({ id }: Task) =>
      cancel(id, {
        onSuccess: () => toast.success(t('taskCancelled')),
        onError: (error) => toast.error(t('notCancelled'), { description: error.message }),
      }),
    onRetry: ({ id }: Task, convert?: true) =>
      retry(convert ? { id, convert } : { id }, {
        onSuccess: () => toast.success(t('taskRestarted')),
        onError: (error) => toast.error(t('notRetried'), { description: error.message }),
      }),
  };
}
