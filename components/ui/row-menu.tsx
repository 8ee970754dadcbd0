'use client';

import { Ellipsis } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from './button';
import { Menu } from './menu';

/**
 * What can be done with one object of a list. `of`: its name. The menu is made when it is first asked for: a hundred
 * closed ones cost more than all else in their rows.
 */
export function RowMenu({ of, children }: { of: string; children: ReactNode }) {
  const [asked, setAsked] = useState(false);
  const label = { 'aria-label': `Actions for ${of}` };
  const icon = <Ellipsis aria-hidden="true" />;
  if (asked) {
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
      onClick={() => setAsked(true)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        setAsked(true);
      }}
    >
      {icon}
    </Button>
  );
}
