'use client';

import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { errorMessagesOf } from '@/lib/client/call';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { useDeleteTarget } from '@/lib/client/queries/target-queries';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';

interface DeleteTargetDialogProps {
  /** Target to delete; null while the dialog is closed. */
  target: MultistreamTarget | null;
  onClose: () => void;
}

export function DeleteTargetDialog({ target, onClose }: DeleteTargetDialogProps) {
  const t = useTranslations('targets.deleteTarget');
  const remove = useDeleteTarget();
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={target !== null}
      onOpenChange={(open) => !open && close()}
      title={t('title', { name: target?.name ?? '' })}
      confirmationWord={t('deleteWord')}
      confirmLabel={t('deleteTarget')}
      pending={remove.isPending}
      error={errorMessagesOf(remove.error)[0]}
      onConfirm={() => {
        if (!target) return;
        remove.mutate(target.id, {
          onSuccess: () => {
            toast.success(t('deleted', { name: target.name }));
            close();
          },
        });
      }}
    >
      {t('whatIsDeleted')}
    </ConfirmDialog>
  );
}
