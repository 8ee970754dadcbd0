'use client';

import { ArchiveRestore, Trash2 } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { counted } from '@/components/ui/quantities';
import type { Named } from '@/components/ui/selection';
import { SelectionBar } from '@/components/ui/selection-bar';
import type { BulkProgress } from '@/lib/client/use-bulk';
import type { useSelection } from '../_data/use-selection';

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
