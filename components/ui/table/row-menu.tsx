'use client';

import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Menu } from '@/components/ui/overlay/menu';

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
