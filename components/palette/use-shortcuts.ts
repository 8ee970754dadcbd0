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

/** Longest time between "g" and the second key. */
const CHORD_MS = 1500;

/** Whether a key press belongs to a field, a player or an open dialog, so that page shortcuts ignore it. */
export function isInsideControl(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return true;
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], [data-phase]') !== null
  );
}

/** Keyboard shortcuts of every dashboard page. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const handle = useEffectEvent((event: KeyboardEvent, isArmed: boolean): boolean => {
    if (event.defaultPrevented || event.isComposing) return false;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      shortcuts.onPalette();
      return false;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isInsideControl(event.target)) return false;
    if (isArmed) {
      shortcuts.onGo(event.key.toLowerCase());
      return false;
    }
    if (event.key === '?') shortcuts.onHelp();
    return event.key.toLowerCase() === 'g';
  });

  useEffect(() => {
    let armedUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      const arm = handle(event, event.timeStamp < armedUntil);
      armedUntil = arm ? event.timeStamp + CHORD_MS : 0;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
