'use client';

import { Fragment } from 'react';
import { Dialog } from '@/components/ui/overlay/dialog';
import { navigation } from '@/components/shell/navigation';

interface ShortcutListProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const everywhere: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['Ctrl', 'K'], 'Search and run commands (⌘ K on a Mac)'],
  [['?'], 'Show keyboard shortcuts'],
];
const player: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['Space'], 'Play or pause'],
  [['←'], 'Back 5 seconds'],
  [['→'], 'Forward 5 seconds'],
  [['M'], 'Mute or unmute'],
  [['F'], 'Full screen'],
];

/** Every key there is. */
export default function ShortcutList({ open, onOpenChange }: ShortcutListProps) {
  const pages = navigation
    .flatMap(({ items }) => items)
    .map(({ key, label }) => [['G', key.toUpperCase()], label] as const);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <div className="grid gap-6">
        <Keys title="Everywhere" rows={everywhere} />
        <Keys title="Pages" rows={pages} />
        <Keys title="Player" rows={player} />
      </div>
    </Dialog>
  );
}

function Keys({ title, rows }: { title: string; rows: readonly (readonly [readonly string[], string])[] }) {
  return (
    <section aria-label={title}>
      <h3 className="text-ink-3 mb-1 text-xs font-medium">{title}</h3>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-6">
        {rows.map(([keys, what]) => (
          <Fragment key={what}>
            <dt className="flex h-8 w-24 items-center gap-1">
              {keys.map((key) => (
                <kbd key={key} className="bg-sunken rounded-sm border px-1.5 font-mono text-xs leading-5">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
