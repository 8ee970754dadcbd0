'use client';

import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';

interface FailedItemsDialogProps {
  /** "3 of 12 streams were not deleted"; null while the dialog is closed. */
  title: string | null;
  items: readonly { readonly id: string; readonly name: string; readonly reason: string }[];
  onRetry: () => void;
  onClose: () => void;
}

/** Dialog with the items for which a bulk action failed, and the reasons. */
export function FailedItemsDialog({ title, items, onRetry, onClose }: FailedItemsDialogProps) {
  const t = useTranslations('ui.bulkActions');
  return (
    <Dialog
      open={title !== null}
      onOpenChange={(open) => !open && onClose()}
      title={title ?? ''}
      description={t('unchanged')}
    >
      <ul className="scroll-quiet -mx-2 max-h-[50dvh] divide-y overflow-y-auto px-2">
        {items.map(({ id, name, reason }) => (
          <li key={id} className="grid gap-0.5 py-2.5 wrap-anywhere">
            <span className="font-medium">{name}</span>
            <span className="text-live-ink text-sm">{reason}</span>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>{t('close')}</Button>
        <Button variant="primary" onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
