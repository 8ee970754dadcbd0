import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button';
import { Menu } from './menu';

/** What can be done with one object of a list. `of`: its name. */
export function RowMenu({ of, children }: { of: string; children: ReactNode }) {
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Actions for ${of}`}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      {children}
    </Menu>
  );
}
