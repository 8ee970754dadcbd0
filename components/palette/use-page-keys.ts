'use client';

import { useEffect, useEffectEvent } from 'react';
import { isInsideControl } from './use-shortcuts';

/** Calls `onKey` for keys pressed on the page itself, not in a field, a player or an open dialog. */
export function usePageKeys(onKey: (key: string) => void): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const { defaultPrevented, ctrlKey, metaKey, altKey, repeat } = event;
    if (!defaultPrevented && !ctrlKey && !metaKey && !altKey && !repeat && !isInsideControl(event.target))
      onKey(event.key);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
