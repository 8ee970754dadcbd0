import { ShortcutRows } from '@/components/ui/shortcut-rows';
import { shortcutLabels } from './shortcut-labels';
import { LONG_SEEK_S } from './shortcuts';

/** The keys of the player, and what fingers and the mouse do. */
export function HelpList() {
  return (
    <>
      <ShortcutRows rows={shortcutLabels.map(({ keys, label }) => [keys, label] as const)} />
      <p className="text-ink-2 mt-4 text-sm">
        On a touchscreen, double-tap a side of the picture to move {LONG_SEEK_S} seconds. With a mouse,
        double-click for full screen.
      </p>
    </>
  );
}
