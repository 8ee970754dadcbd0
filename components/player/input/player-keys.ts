'use client';

import { useEffect, useEffectEvent } from 'react';
import type { CommandTargets } from './commands';
import { commandOf } from './shortcuts';

/** Commands are loaded when a pointer enters the player or a key is pressed. */
const loadCommands = () => import('./commands');

/** Selector of the seek bar. The player handles its keys, because the native slider can seek past the live edge. */
const SEEK_SLIDER = '[data-seek]';
/** On the seek bar, the keys up and down seek like right and left instead of changing the volume. */
const sliderKeys: Readonly<Record<string, string>> = { ArrowUp: 'ArrowRight', ArrowDown: 'ArrowLeft' };

/**
 * Whether the focused control handles the key: buttons handle the space bar, sliders their keys, and menus,
 * dialogs and text fields all keys.
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

/**
 * Handles the keyboard shortcuts of the player.
 * @param stage root element of the player; null before it is rendered
 * @param wholePage whether they work on the whole page, because the player is its main content, or only in the stage
 * @param getTargets returns what commands act on; null before the player is rendered
 */
export function usePlayerKeys(
  stage: HTMLElement | null,
  wholePage: boolean,
  getTargets: () => CommandTargets | null,
): void {
  const handleKey = useEffectEvent((event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey || belongsToControl(event)) return;
    const isOnSlider = event.target instanceof HTMLElement && event.target.matches(SEEK_SLIDER);
    const command = commandOf((isOnSlider && sliderKeys[event.key]) || event.key);
    if (!command) return;
    event.preventDefault();
    void loadCommands()
      .then(({ runCommand: perform }) => {
        const playerTargets = getTargets();
        if (playerTargets) perform(command, playerTargets);
      })
      // The next key press retries.
      .catch(() => undefined);
  });
  useEffect(() => {
    if (!stage) return;
    const root: EventTarget = wholePage ? document : stage;
    const onKey = (event: Event) => handleKey(event);
    const preload = () => void loadCommands().catch(() => undefined);
    root.addEventListener('keydown', onKey);
    stage.addEventListener('pointerenter', preload, { once: true });
    return () => {
      root.removeEventListener('keydown', onKey);
      stage.removeEventListener('pointerenter', preload);
    };
  }, [stage, wholePage]);
}
