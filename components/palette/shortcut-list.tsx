'use client';

import { shortcutLabels } from '@/components/player/input/shortcut-labels';
import { Dialog } from '@/components/ui/overlay/dialog';
import { ShortcutRows } from '@/components/ui/shortcut-rows';
import { navigation } from '@/components/shell/navigation';

interface ShortcutListProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const everywhere: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['Ctrl', 'K'], 'Search and run commands (⌘ K on a Mac)'],
  [['?'], 'Show keyboard shortcuts'],
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
        <Keys title="Player" rows={shortcutLabels.map(({ keys, label }) => [keys, label] as const)} />
      </div>
    </Dialog>
  );
}

function Keys({ title, rows }: { title: string; rows: readonly (readonly [readonly string[], string])[] }) {
  return (
    <section aria-label={title}>
      <h3 className="text-ink-3 mb-1 text-xs font-medium">{title}</h3>
      <ShortcutRows rows={rows} />
    </section>
  );
}
