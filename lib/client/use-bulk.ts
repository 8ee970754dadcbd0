'use client';

import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Page } from '@/lib/contract/define-endpoint';
import { ApiCallError } from './call';
import { changeLists, replaceLists } from './list-cache';

/** Concurrent requests of one bulk action. */
const CONCURRENCY = 5;
/** Maximum number of retries of one rate-limited item. */
const MAX_RETRIES = 5;
/** Maximum delay before a retry. */
const MAX_RETRY_DELAY_SECONDS = 60;

export interface BulkOutcome {
  /** Ids of the objects for which the action succeeded. */
  readonly succeededIds: readonly string[];
  /** Ids of the objects for which the action failed, with the message of the server. */
  readonly failures: readonly { readonly id: string; readonly reason: string }[];
}

interface RunOptions {
  /** @param finishedCount number of finished items, successful or not */
  readonly onProgress?: (finishedCount: number) => void;
  readonly sleep?: (ms: number) => Promise<void>;
}

/**
 * Runs an action on many objects, five at a time. A failure does not stop the others. A rate-limited item waits as long as
 * the server says, up to a minute.
 */
export async function runForEach(
  ids: readonly string[],
  runOne: (id: string) => Promise<unknown>,
  { onProgress, sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) }: RunOptions = {},
): Promise<BulkOutcome> {
  const remainingIds = [...ids];
  const succeededIds: string[] = [];
  const failures: { id: string; reason: string }[] = [];
  const runNext = async () => {
    for (let id = remainingIds.shift(); id !== undefined; id = remainingIds.shift()) {
      try {
        await retryWhenLimited(runOne, id, sleep);
        succeededIds.push(id);
      } catch (error) {
        failures.push({ id, reason: error instanceof Error ? error.message : String(error) });
      }
      onProgress?.(succeededIds.length + failures.length);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runNext));
  return { succeededIds, failures };
}

async function retryWhenLimited(
  runOne: (id: string) => Promise<unknown>,
  id: string,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  for (let retryCount = 0; ; retryCount += 1) {
    try {
      await runOne(id);
      return;
    } catch (error) {
      if (!(error instanceof ApiCallError && error.status === 429) || retryCount === MAX_RETRIES) throw error;
      await sleep(Math.min(Math.max(error.retryAfterSeconds ?? 1, 1), MAX_RETRY_DELAY_SECONDS) * 1_000);
    }
  }
}

interface BulkOptions<Row, Action> {
  /** Key of the lists that show the objects. */
  readonly listsKey: QueryKey;
  /** Keys of the queries to read again afterwards. */
  readonly keysToInvalidate: readonly QueryKey[];
  /** Sends the request for one object. */
  readonly runOne: (id: string, action: Action) => Promise<unknown>;
  /** Returns a cached page as it is after the action on these objects. */
  readonly updatePage: (page: Page<Row>, ids: ReadonlySet<string>, action: Action) => Page<Row>;
  /** Key of the query to remove from the cache after the action on an object; null for none. */
  readonly keyToRemove?: (id: string, action: Action) => QueryKey | null;
}

export interface BulkRequest<Action> {
  readonly ids: readonly string[];
  readonly action: Action;
  /** Called after the action, even if the user has left the page. */
  readonly onFinished: (outcome: BulkOutcome) => void;
}

export interface BulkProgress {
  readonly finished: number;
  readonly total: number;
}

/**
 * Runs one action on many objects. The lists show the change immediately; objects that the server rejects are reverted,
 * and the outcome has the messages. While `progress` is set, the action runs and lists must not be refreshed.
 */
export function useBulk<Row extends { readonly id: string }, Action>({
  listsKey,
  keysToInvalidate,
  runOne,
  updatePage,
  keyToRemove,
}: BulkOptions<Row, Action>) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<BulkProgress | null>(null);
  const { mutate } = useMutation({
    mutationFn: ({ ids, action }: BulkRequest<Action>) =>
      runForEach(ids, (id) => runOne(id, action), {
        onProgress: (finishedCount) => setProgress({ finished: finishedCount, total: ids.length }),
      }),
    onMutate: ({ ids, action }) => {
      setProgress({ finished: 0, total: ids.length });
      return changeLists<Row>(client, listsKey, (page) => updatePage(page, new Set(ids), action));
    },
    onSuccess: (outcome, { action, onFinished }, listsBefore) => {
      const { succeededIds, failures } = outcome;
      for (const id of succeededIds) {
        const queryKey = keyToRemove?.(id, action);
        if (queryKey) client.removeQueries({ queryKey });
      }
      if (failures.length > 0)
        replaceLists<Row>(client, listsBefore, (page) => updatePage(page, new Set(succeededIds), action));
      onFinished(outcome);
    },
    onSettled: async () => {
      await Promise.all(keysToInvalidate.map((queryKey) => client.invalidateQueries({ queryKey })));
      setProgress(null);
    },
  });
  return { run: mutate, progress };
}
