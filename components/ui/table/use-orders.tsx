'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { FailedItems } from './failed-items';
import { counted } from '@/components/ui/time-words';
import type { Named } from './selection-bar';
import type { BulkOrder, Outcome } from '@/lib/client/use-bulk';

interface Order<O> {
  readonly rows: readonly Named[];
  readonly order: O;
  /** How it reads when it is done: "deleted". */
  readonly done: string;
  /** Offered with the good news, for a while. */
  readonly undo?: { readonly label: string; readonly run: (done: readonly Named[]) => void };
  readonly then?: (outcome: Outcome) => void;
}

interface Failure<O> {
  readonly given: Order<O>;
  readonly items: readonly (Named & { readonly reason: string })[];
}

const UNDO_OFFER_MS = 15_000;

/** Orders for one or many rows of a list: says how they went, row by row where one failed. `what`: "stream". */
export function useOrders<O>(what: string, run: (order: BulkOrder<O>) => void) {
  const [failure, setFailure] = useState<Failure<O> | null>(null);
  const inWords = (rows: readonly Named[]) =>
    rows.length === 1 ? `“${rows[0]?.name ?? ''}”` : counted(rows.length, what);
  function give(given: Order<O>) {
    const { rows, order, done: said, undo, then } = given;
    run({
      ids: rows.map(({ id }) => id),
      order,
      then: (outcome) => {
        const done = new Set(outcome.done);
        const worked = rows.filter(({ id }) => done.has(id));
        if (worked.length > 0) {
          toast.success(
            `${inWords(worked)} ${said}`,
            undo
              ? { duration: UNDO_OFFER_MS, action: { label: undo.label, onClick: () => undo.run(worked) } }
              : {},
          );
        }
        if (outcome.failed.length > 0) {
          const reasons = new Map(outcome.failed.map(({ id, reason }) => [id, reason]));
          const items = rows.flatMap((row) => {
            const reason = reasons.get(row.id);
            return reason === undefined ? [] : [{ ...row, reason }];
          });
          setFailure({ given, items });
        }
        then?.(outcome);
      },
    });
  }
  const failures = (
    <FailedItems
      title={failure && titleOf(failure, inWords)}
      items={failure?.items ?? []}
      onClose={() => setFailure(null)}
      onAgain={() => {
        setFailure(null);
        if (failure) give({ ...failure.given, rows: failure.items });
      }}
    />
  );
  return { give, failures };
}

function titleOf<O>({ given, items }: Failure<O>, inWords: (rows: readonly Named[]) => string): string {
  if (given.rows.length === 1) return `${inWords(items)} was not ${given.done}`;
  return `${items.length} of ${inWords(given.rows)} ${items.length === 1 ? 'was' : 'were'} not ${given.done}`;
}
