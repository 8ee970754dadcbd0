'use client';

import dynamic from 'next/dynamic';
import { useShortcuts } from '@/components/palette/use-shortcuts';
import { useNavigation } from '@/components/shell/use-navigation';
import { useNavigate } from '@/components/ui/leave-guard';

const CommandPalette = dynamic(() => import('./palette'), { ssr: false });
const ShortcutList = dynamic(() => import('@/components/palette/shortcut-list'), { ssr: false });

export type Overlay = 'palette' | 'shortcuts' | null;

interface KeyboardShortcutsProps {
  overlay: Overlay;
  onOverlay: (overlay: Overlay) => void;
  onLogOut: () => void;
}

/** Keyboard shortcuts of every page, and the overlays that they open. */
export function KeyboardShortcuts({ overlay, onOverlay, onLogOut }: KeyboardShortcutsProps) {
  const goTo = useNavigate();
  const navigation = useNavigation();
  useShortcuts({
    onPalette: () => onOverlay(overlay === 'palette' ? null : 'palette'),
    onHelp: () => onOverlay('shortcuts'),
    onGo: (letter) => {
      const page = navigation.flatMap(({ items }) => items).find(({ key }) => key === letter);
      if (page) goTo(page.href);
    },
  });
  return (
    <>
      {overlay === 'palette' && (
        <CommandPalette
          open
          onOpenChange={(open) => onOverlay(open ? 'palette' : null)}
          onLogOut={onLogOut}
          onShortcuts={() => onOverlay('shortcuts')}
        />
      )}
      {overlay === 'shortcuts' && (
        <ShortcutList open onOpenChange={(open) => onOverlay(open ? 'shortcuts' : null)} />
      )}
    </>
  );
}
