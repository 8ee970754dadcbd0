'use client';

import { useEffect, useEffectEvent } from 'react';
import { isInsideField, isInsidePlayer } from './use-shortcuts';

interface PageKeyOptions {
  /** Whether the keys work in a focused player, too. */
  readonly inPlayer?: boolean;
}

/** Calls `onKey` for keys pressed on the page itself, not in a field, a player or an open dialog. */
export function usePageKeys(onKey: (key: string) => void, { inPlayer = false }: PageKeyOptions = {}): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const { defaultPrevented, ctrlKey, metaKey, altKey, repeat, target } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey || repeat) return;
    if (!isInsideField(target) && (inPlayer || !isInsidePlayer(target))) onKey(event.key);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
