'use client';

import { toast } from 'sonner';
import { sentencesOf } from '@/app/sentences-of';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useDeleteAssets } from '@/lib/client/asset-queries';
import { useRestore } from './use-restore';

interface DeleteAssetsProps {
  /** Those to delete; empty = closed. `name`: shown when it is one. */
  assets: readonly { readonly id: string; readonly name: string }[];
  onClose: () => void;
  onDeleted?: () => void;
}

const RESTORE_OFFER_MS = 15_000;

/** Deletes assets and offers to take that back: the service keeps them for seven days. */
export function DeleteAssets({ assets, onClose, onDeleted }: DeleteAssetsProps) {
  const remove = useDeleteAssets();
  const restore = useRestore();
  const what = assets.length === 1 ? `“${assets[0]?.name ?? ''}”` : `${assets.length} assets`;
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={assets.length > 0}
      onOpenChange={(open) => !open && close()}
      title={`Delete ${what}?`}
      confirm={assets.length === 1 ? 'Delete asset' : `Delete ${assets.length} assets`}
      pending={remove.isPending}
      error={sentencesOf(remove.error)[0]}
      onConfirm={() =>
        remove.mutate(
          assets.map(({ id }) => id),
          {
            onSuccess: ({ deleted, failed }) => {
              toast.success(`Deleted ${what}`, {
                duration: RESTORE_OFFER_MS,
                ...(failed > 0 ? { description: `${failed} could not be deleted.` } : {}),
                action: { label: 'Restore', onClick: () => restore(deleted, what) },
              });
              close();
              onDeleted?.();
            },
          },
        )
      }
    >
      Playback and downloads stop at once, for everyone. For seven days {assets.length === 1 ? 'it' : 'they'}{' '}
      can be restored, with the filter “Deleted” of the list.
    </ConfirmDialog>
  );
}
