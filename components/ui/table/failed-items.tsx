'use client';

import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { Menu } from '@/components/ui/overlay/menu';

interface FailedItemsProps {
  /** "3 of 12 streams were not deleted"; null = closed. */
  title: string | null;
  items: readonly { readonly id: string; readonly name: string; readonly reason: string }[];
  onAgain: () => void;
  onClose: () => void;
}

/** Items for which a bulk action failed, with reasons. */
export function FailedItems({ title, items, onAgain, onClose }: FailedItemsProps) {
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
        <Button variant="primary" onClick={onAgain}>
          {t('tryAgain')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/**
 * Menu of an object in a list. `of`: its name. The menu is created when it is first opened: a hundred closed menus
 * cost more than the rest of their rows.
 */
export function RowMenu({ of, children }: { of: string; children: ReactNode }) {
  const t = useTranslations('ui.list');
  const [showsConfirm, setShowsConfirm] = useState(false);
  const label = { 'aria-label': t('actionsFor', { name: of }) };
  const icon = <Ellipsis aria-hidden="true" />;
  if (showsConfirm) {
    return (
      <Menu
        defaultOpen
        trigger={
          <Button variant="ghost" size="icon" {...label}>
            {icon}
          </Button>
        }
      >
        {children}
      </Menu>
    );
  }
  return (
    <Button
      variant="ghost"
      size="icon"
      {...label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setShowsConfirm(true)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        setShowsConfirm(true);
      }}
    >
      {icon}
    </Button>
  );
}
