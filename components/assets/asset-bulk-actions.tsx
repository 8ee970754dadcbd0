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
import type { BulkProgress, BulkOutcome } from '@/lib/client/use-bulk';
import type { PlaybackPolicyInput } from '@/lib/contract/access/playback-policy';
import { AddTagButton, ChangePolicyButton } from './bulk-dialogs';

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

/** Bar with actions for the selected assets, and the progress of a running action. */
export function AssetBulkActions({ selection, progress, isInTrash, ...handlers }: AssetBulkActionsProps) {
  const t = useTranslations('assets.assetBulkActions');
  const { selectedRows: selectedAssets, selectAllOffer, clear } = selection;
  if (selectedAssets.length === 0 && !progress) return null;
  return (
    <SelectionBar
      summary={t('selected', { count: selectedAssets.length })}
      selectAllOffer={selectAllOffer}
      progress={progress}
      onClear={clear}
    >
      {isInTrash ? (
        <Button size="sm" variant="primary" onClick={() => handlers.onRestore(selectedAssets)}>
          <ArchiveRestore aria-hidden="true" />
          {t('restore')}
        </Button>
      ) : (
        <>
          <AddTagButton onAdd={(tag) => handlers.onTag(selectedAssets, tag)} />
          <ChangePolicyButton onChange={(policy) => handlers.onPolicy(selectedAssets, policy)} />
          <Button size="sm" variant="danger" onClick={() => handlers.onDelete(selectedAssets)}>
            <Trash2 aria-hidden="true" />
            {t('delete')}
          </Button>
        </>
      )}
    </SelectionBar>
  );
}

type OnOutcome = (outcome: BulkOutcome) => void;

/** Actions on several assets, and their dialogs. A deleted asset can be restored for seven days. */
export function useAssetBulkActions() {
  const t = useTranslations('assets.assetBulkActions');
  const { run, progress } = useBulkAssets();
  const { runBulkAction, failuresDialog } = useBulkActions((count) => t('rowCount', { count }), run);
  const [deleteRequest, setDeleteRequest] = useState<{
    rows: readonly NamedRow[];
    onOutcome?: OnOutcome | undefined;
  }>({
    rows: [],
  });
  const { rows: rowsToDelete, onOutcome } = deleteRequest;
  const restore = (rows: readonly NamedRow[], onFinished?: OnOutcome) =>
    runBulkAction({
      rows,
      action: 'restore',
      doneText: t('restored'),
      ...(onFinished ? { onOutcome: onFinished } : {}),
    });
  const addTag = (rows: readonly NamedRow[], tag: string, onFinished?: OnOutcome) =>
    runBulkAction({
      rows,
      action: { addTag: tag },
      doneText: t('tagged', { tag }),
      ...(onFinished ? { onOutcome: onFinished } : {}),
    });
  const setPolicy = (
    rows: readonly NamedRow[],
    playbackPolicy: PlaybackPolicyInput | null,
    onFinished?: OnOutcome,
  ) =>
    runBulkAction({
      rows,
      action: { playbackPolicy },
      doneText: t('changed'),
      ...(onFinished ? { onOutcome: onFinished } : {}),
    });
  const count = rowsToDelete.length;
  const dialogs = (
    <>
      <ConfirmDialog
        open={count > 0}
        onOpenChange={(open) => !open && setDeleteRequest({ rows: [] })}
        title={t('deleteTitle', { count, name: rowsToDelete[0]?.name ?? '' })}
        confirmLabel={t('deleteAssets', { count })}
        pending={false}
        onConfirm={() => {
          setDeleteRequest({ rows: [] });
          runBulkAction({
            rows: rowsToDelete,
            action: 'delete',
            doneText: t('deleted'),
            undo: { label: t('restore'), run: restore },
            ...(onOutcome ? { onOutcome } : {}),
          });
        }}
      >
        {t('deleteText', { count })}
      </ConfirmDialog>
      {failuresDialog}
    </>
  );
  /** Opens the confirmation. `onFinished` is called after the deletion. */
  const askToDelete = (rows: readonly NamedRow[], onFinished?: OnOutcome) =>
    setDeleteRequest({ rows, onOutcome: onFinished });
  return { askToDelete, restore, addTag, setPolicy, progress, dialogs };
}
