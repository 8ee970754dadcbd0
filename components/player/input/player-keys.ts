'use client';

import { useEffect, useEffectEvent } from 'react';
import type { CommandTargets } from './commands';
import { commandOf } from './shortcuts';

/** Commands are loaded when a pointer enters the player or a key is pressed. */
const loadCommands = () => import('./commands');

/** The native slider would handle the seek keys itself or seek past the live edge. */
const SEEK_SLIDER = '[data-seek]';
const onSlider: Readonly<Record<string, string>> = { ArrowUp: 'ArrowRight', ArrowDown: 'ArrowLeft' };

/**
 * Whether a control handles the key itself: a focused button the space bar, a slider its keys, a menu, dialog or text
 * field all keys.
 */
function belongsToControl(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches(SEEK_SLIDER)) return false;
  if (target.closest('input[type="range"]')) return /^(?:Arrow|Home|End|Page)/.test(event.key);
  if (target.closest('[role="menu"], [role="dialog"], select, input, textarea, [contenteditable]'))
    return true;
  return event.key === ' ' && target.closest('button, a, [role="button"]') !== null;
}

/** Keyboard shortcuts of the player; on the whole page if the player is its main content. */
export function usePlayerKeys(
  stage: HTMLElement | null,
  wholePage: boolean,
  targets: () => CommandTargets | null,
): void {
  const handle = useEffectEvent((event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey || belongsToControl(event)) return;
    const slides = event.target instanceof HTMLElement && event.target.matches(SEEK_SLIDER);
    const command = commandOf((slides && onSlider[event.key]) || event.key);
    if (!command) return;
    event.preventDefault();
    void loadCommands()
      .then(({ perform }) => {
        const playerTargets = targets();
        if (playerTargets) perform(command, playerTargets);
      })
      // The next key press retries.
      .catch(() => undefined);
  });
  useEffect(() => {
    if (!stage) return;
    const root: EventTarget = wholePage ? document : stage;
    const onKey = (event: Event) => handle(event);
    const prepare = () => void loadCommands().catch(() => undefined);
    root.addEventListener('keydown', onKey);
    stage.addEventListener('pointerenter', prepare, { once: true });
    return () => {
      root.removeEventListener('keydown', onKey);
      stage.removeEventListener('pointerenter', prepare);
    };
  }, [stage, wholePage]);
}
