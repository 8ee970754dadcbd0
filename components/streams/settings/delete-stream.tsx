'use client';

import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { errorMessagesOf } from '@/lib/client/call';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { useDeleteStream } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';

interface DeleteStreamDialogProps {
  /** Stream to delete; null while the dialog is closed. */
  stream: Stream | null;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteStreamDialog({ stream, onClose, onDeleted }: DeleteStreamDialogProps) {
  const t = useTranslations('streams.deleteStream');
  const remove = useDeleteStream();
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={stream !== null}
      onOpenChange={(open) => !open && close()}
      title={t('title', { name: stream?.name ?? '' })}
      confirmationWord={t('deleteWord')}
      confirmLabel={t('deleteStream')}
      pending={remove.isPending}
      error={errorMessagesOf(remove.error)[0]}
      onConfirm={() => {
        if (!stream) return;
        remove.mutate(stream.id, {
          onSuccess: () => {
            toast.success(t('deleted', { name: stream.name }));
            close();
            onDeleted?.();
          },
        });
      }}
    >
      {t('whatIsDeleted')}
    </ConfirmDialog>
  );
}
