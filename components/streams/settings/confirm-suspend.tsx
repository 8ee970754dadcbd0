'use client';

import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';

interface ConfirmSuspendDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** "Suspend 3 streams?" */
  title: string;
  onConfirm: () => void;
}

/** Asks before live streams are suspended, because that disconnects encoder and viewers. */
export function ConfirmSuspendDialog({ open, onOpenChange, title, onConfirm }: ConfirmSuspendDialogProps) {
  const t = useTranslations('streams.confirmSuspend');
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      confirmLabel={t('suspend')}
      pending={false}
      onConfirm={() => {
        onOpenChange(false);
        onConfirm();
      }}
    >
      {t('whatHappens')}
    </ConfirmDialog>
  );
}
