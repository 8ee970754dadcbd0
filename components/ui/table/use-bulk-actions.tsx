'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { FailedItemsDialog } from './failed-items';
import type { NamedRow } from './selection-bar';
import type { BulkRequest, BulkOutcome } from '@/lib/client/use-bulk';

/** An action on rows of a list. */
interface BulkAction<Action> {
  readonly rows: readonly NamedRow[];
  readonly action: Action;
  /** Past participle for messages: "deleted". */
  readonly doneText: string;
  /** Undo button of the success message; `run` gets the rows that were changed. */
  readonly undo?: { readonly label: string; readonly run: (changedRows: readonly NamedRow[]) => void };
  readonly onOutcome?: (outcome: BulkOutcome) => void;
}

interface FailedAction<Action> {
  readonly bulkAction: BulkAction<Action>;
  readonly items: readonly (NamedRow & { readonly reason: string })[];
}

/** Time for which the success message with an undo button is shown. */
const UNDO_OFFER_MS = 15_000;

/**
 * Runs actions on one or several rows of a list, and shows the result and the reason of each failure.
 * @param formatCount formats a number of rows, such as "3 streams"
 */
export function useBulkActions<Action>(
  formatCount: (count: number) => string,
  run: (action: BulkRequest<Action>) => void,
) {
  const t = useTranslations('ui.bulkActions');
  const [failure, setFailure] = useState<FailedAction<Action> | null>(null);
  const describeRows = (rows: readonly NamedRow[]) =>
    rows.length === 1 ? `“${rows[0]?.name ?? ''}”` : formatCount(rows.length);
  function runBulkAction(bulkAction: BulkAction<Action>) {
    const { rows, action, doneText, undo, onOutcome } = bulkAction;
    run({
      ids: rows.map(({ id }) => id),
      action,
      onFinished: (outcome) => {
        const succeededIds = new Set(outcome.succeededIds);
        const changedRows = rows.filter(({ id }) => succeededIds.has(id));
        if (changedRows.length > 0) {
          const undoAction = undo && { label: undo.label, onClick: () => undo.run(changedRows) };
          toast.success(
            t('done', { which: describeRows(changedRows), done: doneText }),
            undoAction ? { duration: UNDO_OFFER_MS, action: undoAction } : {},
          );
        }
        if (outcome.failures.length > 0) {
          const reasons = new Map(outcome.failures.map(({ id, reason }) => [id, reason]));
          const items = rows.flatMap((row) => {
            const reason = reasons.get(row.id);
            return reason === undefined ? [] : [{ ...row, reason }];
          });
          setFailure({ bulkAction, items });
        }
        onOutcome?.(outcome);
      },
    });
  }
  const failuresDialog = (
    <FailedItemsDialog
      title={failure && failureTitle(t, failure, describeRows)}
      items={failure?.items ?? []}
      onClose={() => setFailure(null)}
      onRetry={() => {
        setFailure(null);
        if (failure) runBulkAction({ ...failure.bulkAction, rows: failure.items });
      }}
    />
  );
  return { runBulkAction, failuresDialog };
}

function failureTitle<Action>(
  t: Translator<'ui.bulkActions'>,
  { bulkAction: { rows, doneText }, items }: FailedAction<Action>,
  describeRows: (rows: readonly NamedRow[]) => string,
): string {
  if (rows.length === 1) return t('notDone', { which: describeRows(items), done: doneText });
  return t('someNotDone', { failed: items.length, which: describeRows(rows), done: doneText });
}
