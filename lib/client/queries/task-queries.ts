'use client';

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isFinalTaskPhase } from '@/lib/core/tasks/task-state';
import { callEndpoint, callListEndpoint } from '@/lib/client/call';
import type { PageQuery } from '@/lib/client/query-keys';
import { cancelTask, getTask, listTasks, retryTask } from '@/lib/client/routes/tasks-routes';
import type { EndpointOf } from '@/lib/client/routes/route';
import type { Task } from '@/lib/contract/tasks/task';

export type TaskListQuery = PageQuery<EndpointOf<typeof listTasks>>;

export const tasksKey = ['tasks'] as const;
const taskKey = (id: string) => [...tasksKey, 'one', id];

interface QueryTiming {
  /** Milliseconds between requests; absent or false: refetch only after changes on this page. */
  readonly refetchInterval?: number | false;
  readonly enabled?: boolean;
}

/** One page of tasks. The previous page stays visible while the next one loads. */
export const useTasks = (query: TaskListQuery, timing: QueryTiming = {}) =>
  useQuery({
    queryKey: [...tasksKey, 'list', query],
    queryFn: ({ signal }) => callListEndpoint(listTasks, { query }, { signal }),
    placeholderData: keepPreviousData,
    ...timing,
  });

/** The newest task that produces an asset, or replaces its file; undefined while unknown. */
export function useOutputTask(assetId: string | undefined, refetchInterval: number): Task | undefined {
  const filters = JSON.stringify([{ id: 'outputAssetId', value: assetId }]);
  const tasks = useTasks({ limit: '1', filters }, { refetchInterval, enabled: assetId !== undefined });
  // The placeholder of another asset's task is skipped.
  return tasks.data?.items.find(({ outputAssetId }) => outputAssetId === assetId);
}

/** Polls one task until it is final. */
export const useTask = (id: string, intervalMs: number) =>
  useQuery({
    queryKey: taskKey(id),
    queryFn: ({ signal }) => callEndpoint(getTask, { params: { id } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data && isFinalTaskPhase(state.data.status.phase) ? false : intervalMs,
  });

export const useCancelTask = () =>
  useTaskMutation((id: string) => callEndpoint(cancelTask, { params: { id } }));

/** Retries a failed or cancelled task as a new task; `convert` converts a file that was rejected. */
export const useRetryTask = () =>
  useTaskMutation(({ id, ...body }: { readonly id: string; readonly convert?: true }) =>
    callEndpoint(retryTask, { params: { id }, body }),
  );

/** A mutation of a task that also refreshes its asset. */
function useTaskMutation<T>(mutationFn: (task: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: tasksKey }),
        client.invalidateQueries({ queryKey: ['assets'] }),
      ]),
  });
}
