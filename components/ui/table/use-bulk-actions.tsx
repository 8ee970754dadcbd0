'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { FailedItems } from './failed-items';
import type { NamedRow } from './selection-bar';
import type { BulkRequest, Outcome } from '@/lib/client/use-bulk';

interface BulkAction<O> {
  readonly rows: readonly NamedRow[];
  readonly action: O;
  /** Past participle for messages: "deleted". */
  readonly done: string;
  /** Undo button in the success message. */
  readonly undo?: { readonly label: string; readonly run: (done: readonly NamedRow[]) => void };
  readonly then?: (outcome: Outcome) => void;
}

interface Failure<O> {
  readonly bulkAction: BulkAction<O>;
  readonly items: readonly (NamedRow & { readonly reason: string })[];
}

const UNDO_OFFER_MS = 15_000;

/**
 * Actions on one or several rows of a list: reports the result, and the failure of each row. `countedAs`: "3
 * streams".
 */
export function useBulkActions<O>(
  countedAs: (count: number) => string,
  run: (action: BulkRequest<O>) => void,
) {
  const t = useTranslations('ui.bulkActions');
  const [failure, setFailure] = useState<Failure<O> | null>(null);
  const describeRows = (rows: readonly NamedRow[]) =>
    rows.length === 1 ? `“${rows[0]?.name ?? ''}”` : countedAs(rows.length);
  function runAction(bulkAction: BulkAction<O>) {
    const { rows, action, done: doneText, undo, then } = bulkAction;
    run({
      ids: rows.map(({ id }) => id),
      action,
      onFinished: (outcome) => {
        const doneIds = new Set(outcome.done);
        const doneRows = rows.filter(({ id }) => doneIds.has(id));
        if (doneRows.length > 0) {
          toast.success(
            t('done', { which: describeRows(doneRows), done: doneText }),
            undo
              ? { duration: UNDO_OFFER_MS, action: { label: undo.label, onClick: () => undo.run(doneRows) } }
              : {},
          );
        }
        if (outcome.failed.length > 0) {
          const reasons = new Map(outcome.failed.map(({ id, reason }) => [id, reason]));
          const items = rows.flatMap((row) => {
            const reason = reasons.get(row.id);
            return reason === undefined ? [] : [{ ...row, reason }];
          });
          setFailure({ bulkAction, items });
        }
        then?.(outcome);
      },
    });
  }
  const failures = (
    <FailedItems
      title={failure && titleOf(t, failure, describeRows)}
      items={failure?.items ?? []}
      onClose={() => setFailure(null)}
      onAgain={() => {
        setFailure(null);
        if (failure) runAction({ ...failure.bulkAction, rows: failure.items });
      }}
    />
  );
  return { give: runAction, failures };
}

function titleOf<O>(
  t: Translator<'ui.bulkActions'>,
  { bulkAction: { rows, done }, items }: Failure<O>,
  describeRows: (rows: readonly NamedRow[]) => string,
): string {
  if (rows.length === 1) return t('notDone', { which: describeRows(items), done });
  return t('someNotDone', { failed: items.length, which: describeRows(rows), done });
}
