'use client';

import { useEffect, useEffectEvent } from 'react';
import { ignoresShortcuts, isInsidePlayer } from './use-shortcuts';

interface PageKeyOptions {
  /** Whether the keys also work in a focused player. */
  readonly inPlayer?: boolean;
}

/**
 * Calls `onKey` for keys without modifiers that are not pressed in a field, in a player (see `inPlayer`) or while a dialog is
 * open.
 */
export function usePageKeys(onKey: (key: string) => void, { inPlayer = false }: PageKeyOptions = {}): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const { defaultPrevented, ctrlKey, metaKey, altKey, repeat, target } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey || repeat) return;
    if (!ignoresShortcuts(target) && (inPlayer || !isInsidePlayer(target))) onKey(event.key);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
