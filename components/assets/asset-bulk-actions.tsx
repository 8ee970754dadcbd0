'use client';

import { ArchiveRestore, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { type NamedRow, SelectionBar } from '@/components/ui/table/selection-bar';
import { useBulkActions } from '@/components/ui/table/use-bulk-actions';
import type { useSelection } from '@/components/ui/table/use-selection';
import { useBulkAssets } from '@/lib/client/queries/asset-queries';
import type { BulkProgress, Outcome } from '@/lib/client/use-bulk';
import type { PlaybackPolicyInput } from '@/lib/contract/access/playback-policy';
import { AddTag, ChangePolicy } from './bulk-dialogs';

interface AssetBulkActionsProps {
  selection: ReturnType<typeof useSelection>;
  progress: BulkProgress | null;
  /** Whether the list shows deleted assets, which can only be restored. */
  isInTrash: boolean;
  onTag: (rows: readonly NamedRow[], tag: string) => void;
  onPolicy: (rows: readonly NamedRow[], policy: PlaybackPolicyInput | null) => void;
  onDelete: (rows: readonly NamedRow[]) => void;
  onRestore: (rows: readonly NamedRow[]) => void;
}

export function AssetBulkActions({ selection, progress, isInTrash, ...on }: AssetBulkActionsProps) {
  const t = useTranslations('assets.assetOrders');
  const { selectedRows: selectedAssets, more, clear } = selection;
  if (selectedAssets.length === 0 && !progress) return null;
  return (
    <SelectionBar
      summary={t('selected', { count: selectedAssets.length })}
      more={more}
      progress={progress}
      onClear={clear}
    >
      {isInTrash ? (
        <Button size="sm" variant="primary" onClick={() => on.onRestore(selectedAssets)}>
          <ArchiveRestore aria-hidden="true" />
          {t('restore')}
        </Button>
      ) : (
        <>
          <AddTag onAdd={(tag) => on.onTag(selectedAssets, tag)} />
          <ChangePolicy onChange={(policy) => on.onPolicy(selectedAssets, policy)} />
          <Button size="sm" variant="danger" onClick={() => on.onDelete(selectedAssets)}>
            <Trash2 aria-hidden="true" />
            {t('delete')}
          </Button>
        </>
      )}
    </SelectionBar>
  );
}

type OnOutcome = (outcome: Outcome) => void;

/** Actions on several assets. Deletion can be undone for seven days. */
export function useAssetBulkActions() {
  const t = useTranslations('assets.assetOrders');
  const { run, progress } = useBulkAssets();
  const { give, failures } = useBulkActions((count) => t('counted', { count }), run);
  const [request, setRequest] = useState<{ rows: readonly NamedRow[]; then?: OnOutcome | undefined }>({
    rows: [],
  });
  const { rows: rowsToDelete, then } = request;
  const restore = (rows: readonly NamedRow[], whenOver?: OnOutcome) =>
    give({ rows, action: 'restore', done: t('restored'), ...(whenOver ? { then: whenOver } : {}) });
  const addTag = (rows: readonly NamedRow[], tag: string, whenOver?: OnOutcome) =>
    give({
      rows,
      action: { addTag: tag },
      done: t('tagged', { tag }),
      ...(whenOver ? { then: whenOver } : {}),
    });
  const setPolicy = (
    rows: readonly NamedRow[],
    playbackPolicy: PlaybackPolicyInput | null,
    whenOver?: OnOutcome,
  ) =>
    give({ rows, action: { playbackPolicy }, done: t('changed'), ...(whenOver ? { then: whenOver } : {}) });
  const count = rowsToDelete.length;
  const dialogs = (
    <>
      <ConfirmDialog
        open={count > 0}
        onOpenChange={(open) => !open && setRequest({ rows: [] })}
        title={t('deleteTitle', { count, name: rowsToDelete[0]?.name ?? '' })}
        confirm={t('deleteAssets', { count })}
        pending={false}
        onConfirm={() => {
          setRequest({ rows: [] });
          give({
            rows: rowsToDelete,
            action: 'delete',
            done: t('deleted'),
            undo: { label: t('restore'), run: restore },
            ...(then ? { then } : {}),
          });
        }}
      >
        {t('deleteText', { count })}
      </ConfirmDialog>
      {failures}
    </>
  );
  /** Opens the confirmation; `whenOver` receives the result. */
  const askToDelete = (rows: readonly NamedRow[], whenOver?: OnOutcome) =>
    setRequest({ rows, then: whenOver });
  return { askToDelete, restore, addTag, setPolicy, progress, dialogs };
}
