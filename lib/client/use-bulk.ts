'use client';

import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import type { Page } from '@/lib/contract/define-endpoint';
import { eachItem, type Outcome } from './each-item';
import { changeLists, replaceLists } from './list-cache';

interface BulkWork<T, O> {
  /** The pages that show the objects. */
  readonly lists: QueryKey;
  /** Queries to refresh afterwards. */
  readonly stale: readonly QueryKey[];
  readonly act: (id: string, order: O) => Promise<unknown>;
  /** How a page looks when the order was carried out for these. */
  readonly shown: (page: Page<T>, ids: ReadonlySet<string>, order: O) => Page<T>;
  /** What is known of one object is of no use after the order. */
  readonly forget?: (id: string, order: O) => QueryKey | null;
}

export interface BulkOrder<O> {
  readonly ids: readonly string[];
  readonly order: O;
  /** Called even if the user has left the page. */
  readonly then: (outcome: Outcome) => void;
}

export interface BulkProgress {
  readonly over: number;
  readonly of: number;
}

/**
 * The same order for many objects. The lists show it at once; what the server refuses goes back to what it was, and the
 * result says why. `progress`: while it runs; lists should not be refreshed then.
 */
export function useBulk<T extends { readonly id: string }, O>({
  lists,
  stale,
  act,
  shown,
  forget,
}: BulkWork<T, O>) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<BulkProgress | null>(null);
  const { mutate } = useMutation({
    mutationFn: ({ ids, order }: BulkOrder<O>) =>
      eachItem(ids, (id) => act(id, order), {
        onProgress: (over) => setProgress({ over, of: ids.length }),
      }),
    onMutate: ({ ids, order }) => {
      setProgress({ over: 0, of: ids.length });
      return changeLists<T>(client, lists, (page) => shown(page, new Set(ids), order));
    },
    onSuccess: (outcome, { order, then }, before) => {
      const { done, failed } = outcome;
      for (const id of done) {
        const queryKey = forget?.(id, order);
        if (queryKey) client.removeQueries({ queryKey });
      }
      if (failed.length > 0) replaceLists<T>(client, before, (page) => shown(page, new Set(done), order));
      then(outcome);
    },
    onSettled: async () => {
      await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
      setProgress(null);
    },
  });
  return { run: mutate, progress };
}
