'use client';

import { useEffect, useEffectEvent } from 'react';

interface Shortcuts {
  /** Ctrl or Cmd with K. Works in fields, too. */
  onPalette: () => void;
  /** The key "?". */
  onHelp: () => void;
  /** "g", followed by this letter. */
  onGo: (letter: string) => void;
}

/** Maximum time between "g" and the second key. */
const CHORD_MS = 1500;

/** Whether a key press belongs to a field or an open dialog, so that page shortcuts ignore it. */
export function isInsideField(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return true;
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

/** Whether a key press belongs to a player. */
export const isInsidePlayer = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('[data-phase]') !== null;

const isForPage = ({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && !isInsideField(target) && !isInsidePlayer(target);

/** Keyboard shortcuts of every dashboard page. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const go = useEffectEvent((letter: string) => shortcuts.onGo(letter));
  /** @returns whether the key is the first of two */
  const handle = useEffectEvent((event: KeyboardEvent): boolean => {
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
    let armedUntil = 0;
    // Runs before every other listener: the second key must not trigger a shortcut of the page.
    const onSecondKey = (event: KeyboardEvent) => {
      const isArmed = event.timeStamp < armedUntil;
      armedUntil = 0;
      if (!isArmed || !isForPage(event)) return;
      event.preventDefault();
      go(event.key.toLowerCase());
    };
    const onKey = (event: KeyboardEvent) => {
      if (handle(event)) armedUntil = event.timeStamp + CHORD_MS;
    };
    document.addEventListener('keydown', onSecondKey, { capture: true });
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onSecondKey, { capture: true });
      document.removeEventListener('keydown', onKey);
    };
  }, []);
}
