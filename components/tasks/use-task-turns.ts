'use client';

import { toast } from 'sonner';
import { useCancelTask, useRetryTask } from '@/lib/client/queries/task-queries';
import type { Task } from '@/lib/contract/tasks/task';

/** Cancels a task or retries a failed one, and shows the result. */
export function useTaskTurns() {
  const { mutate: cancel } = useCancelTask();
  const { mutate: retry } = useRetryTask();
  return {
    onCancel: ({ id }: Task) =>
      cancel(id, {
        onSuccess: () => toast.success('Task cancelled'),
        onError: (error) => toast.error('Couldn’t cancel the task', { description: error.message }),
      }),
    onRetry: ({ id }: Task) =>
      retry(id, {
        onSuccess: () => toast.success('Task restarted'),
        onError: (error) => toast.error('Couldn’t retry the task', { description: error.message }),
      }),
  };
}
