'use client';

import { ArchiveRestore, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { type Named, SelectionBar } from '@/components/ui/table/selection-bar';
import { useOrders } from '@/components/ui/table/use-orders';
import type { useSelection } from '@/components/ui/table/use-selection';
import { counted } from '@/components/ui/time-words';
import { useBulkAssets } from '@/lib/client/queries/asset-queries';
import type { BulkProgress, Outcome } from '@/lib/client/use-bulk';

interface AssetOrdersProps {
  selection: ReturnType<typeof useSelection>;
  progress: BulkProgress | null;
  /** The list shows what was deleted: it can only come back. */
  deleted: boolean;
  onDelete: (rows: readonly Named[]) => void;
  onRestore: (rows: readonly Named[]) => void;
}

/** What can be done with the ticked assets together. */
export function AssetOrders({ selection, progress, deleted, onDelete, onRestore }: AssetOrdersProps) {
  const { chosen, more, clear } = selection;
  if (chosen.length === 0 && !progress) return null;
  return (
    <SelectionBar
      summary={`${counted(chosen.length, 'asset')} selected`}
      more={more}
      progress={progress}
      onClear={clear}
    >
      {deleted ? (
        <Button size="sm" variant="primary" onClick={() => onRestore(chosen)}>
          <ArchiveRestore aria-hidden="true" />
          Restore
        </Button>
      ) : (
        <Button size="sm" variant="danger" onClick={() => onDelete(chosen)}>
          <Trash2 aria-hidden="true" />
          Delete
        </Button>
      )}
    </SelectionBar>
  );
}

type Then = (outcome: Outcome) => void;

/** Deletes assets and takes that back: the service keeps them for seven days. */
export function useAssetOrders() {
  const { run, progress } = useBulkAssets();
  const { give, failures } = useOrders('asset', run);
  const [asked, setAsked] = useState<{ rows: readonly Named[]; then?: Then | undefined }>({ rows: [] });
  const { rows: doomed, then } = asked;
  const restore = (rows: readonly Named[], whenOver?: Then) =>
    give({ rows, order: 'restore', done: 'restored', ...(whenOver ? { then: whenOver } : {}) });
  const what = doomed.length === 1 ? 'asset' : counted(doomed.length, 'asset');
  const dialogs = (
    <>
      <ConfirmDialog
        open={doomed.length > 0}
        onOpenChange={(open) => !open && setAsked({ rows: [] })}
        title={`Delete ${doomed.length === 1 ? `“${doomed[0]?.name ?? ''}”` : what}?`}
        confirm={`Delete ${what}`}
        pending={false}
        onConfirm={() => {
          setAsked({ rows: [] });
          give({
            rows: doomed,
            order: 'delete',
            done: 'deleted',
            undo: { label: 'Restore', run: restore },
            ...(then ? { then } : {}),
          });
        }}
      >
        Playback and downloads stop at once for everyone. For seven days {doomed.length === 1 ? 'it' : 'they'}{' '}
        can be restored: filter the list by “Deleted”.
      </ConfirmDialog>
      {failures}
    </>
  );
  /** Opens the confirmation; `whenOver` gets the result. */
  const askToDelete = (rows: readonly Named[], whenOver?: Then) => setAsked({ rows, then: whenOver });
  return { askToDelete, restore, progress, dialogs };
}
