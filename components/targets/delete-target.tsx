'use client';

import { toast } from 'sonner';
import { sentencesOf } from '@/lib/client/call';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { useDeleteTarget } from '@/lib/client/queries/target-queries';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';

interface DeleteTargetProps {
  /** The one to delete; null = closed. */
  target: MultistreamTarget | null;
  onClose: () => void;
}

export function DeleteTarget({ target, onClose }: DeleteTargetProps) {
  const remove = useDeleteTarget();
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={target !== null}
      onOpenChange={(open) => !open && close()}
      title={`Delete the target “${target?.name ?? ''}”?`}
      word="delete"
      confirm="Delete target"
      pending={remove.isPending}
      error={sentencesOf(remove.error)[0]}
      onConfirm={() => {
        if (!target) return;
        remove.mutate(target.id, {
          onSuccess: () => {
            toast.success(`Deleted the target “${target.name}”`);
            close();
          },
        });
      }}
    >
      Its URL is deleted permanently. Remove the target from all streams first.
    </ConfirmDialog>
  );
}
