'use client';

import { useEffect, useEffectEvent } from 'react';

interface Shortcuts {
  /** Called for Ctrl+K or Cmd+K, even while a field has the focus. */
  onPalette: () => void;
  /** Called for "?". */
  onHelp: () => void;
  /** Called for "g" followed by this letter. */
  onGo: (letter: string) => void;
}

/** Maximum time between "g" and the second key, in milliseconds. */
const CHORD_TIMEOUT_MS = 1500;

/** Whether shortcuts of the page ignore a key press, because a field has the focus, or a dialog or menu is open. */
export function ignoresShortcuts(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return true;
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

/** Whether a key press belongs to a player, whose element has the attribute `data-phase`. */
export const isInsidePlayer = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('[data-phase]') !== null;

const isForPage = ({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && !ignoresShortcuts(target) && !isInsidePlayer(target);

/** Keyboard shortcuts of every dashboard page. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const openPage = useEffectEvent((letter: string) => shortcuts.onGo(letter));
  /** @returns whether the key is the "g" of a two-key shortcut */
  const handleFirstKey = useEffectEvent((event: KeyboardEvent): boolean => {
    if (event.defaultPrevented || event.isComposing) return false;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      shortcuts.onPalette();
      return false;
    }
    if (!isForPage(event)) return false;
    if (event.key === '?') shortcuts.onHelp();
    return event.key.toLowerCase() === 'g';
  });

  useEffect(() => {
    // Time (`event.timeStamp`) until which a key counts as the second one of “g” and a letter.
    let armedUntil = 0;
    // The capture phase runs first, so that the second key does not trigger a shortcut of the page.
    const onSecondKey = (event: KeyboardEvent) => {
      const isArmed = event.timeStamp < armedUntil;
      armedUntil = 0;
      if (!isArmed || !isForPage(event)) return;
      event.preventDefault();
      openPage(event.key.toLowerCase());
    };
    const onKey = (event: KeyboardEvent) => {
      if (handleFirstKey(event)) armedUntil = event.timeStamp + CHORD_TIMEOUT_MS;
    };
    document.addEventListener('keydown', onSecondKey, { capture: true });
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onSecondKey, { capture: true });
      document.removeEventListener('keydown', onKey);
    };
  }, []);
}
