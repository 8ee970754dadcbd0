'use client';

import { useState } from 'react';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { counted } from '@/components/ui/quantities';
import type { Named } from '@/components/ui/selection';
import { useBulkAssets } from '@/lib/client/asset-queries';
import type { Outcome } from '@/lib/client/each-item';
import { useOrders } from '../_data/use-orders';

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
