'use client';

import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { Menu } from '@/components/ui/overlay/menu';

interface FailedItemsDialogProps {
  /** "3 of 12 streams were not deleted"; null = closed. */
  title: string | null;
  items: readonly { readonly id: string; readonly name: string; readonly reason: string }[];
  onRetry: () => void;
  onClose: () => void;
}

/** Items for which a bulk action failed, with reasons. */
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

interface RowMenuProps {
  /** Name of the object. */
  name: string;
  /** Whether the menu is open initially. */
  defaultOpen?: boolean;
  children: ReactNode;
}

/**
 * Menu of an object in a list. The menu is created when it is first opened, because a hundred closed menus cost more
 * than the rest of their rows.
 */
export function RowMenu({ name, defaultOpen = false, children }: RowMenuProps) {
  const t = useTranslations('ui.list');
  const [hasOpened, setHasOpened] = useState(defaultOpen);
  if (!hasOpened) return <ClosedRowMenu name={name} onOpen={() => setHasOpened(true)} />;
  return (
    <Menu
      defaultOpen
      trigger={
        <Button variant="ghost" size="icon" aria-label={t('actionsFor', { name })}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      {children}
    </Menu>
  );
}

/** The button of a menu that was never opened. */
export function ClosedRowMenu({ name, onOpen }: { name: string; onOpen: () => void }) {
  const t = useTranslations('ui.list');
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label={t('actionsFor', { name })}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={onOpen}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        onOpen();
      }}
    >
      <Ellipsis aria-hidden="true" />
    </Button>
  );
}
