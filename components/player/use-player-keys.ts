'use client';

import { useEffect } from 'react';
import { SEEK_S, seekBy, stepVolume, toggleFullscreen, toggleMute, togglePlay } from './media-actions';

function actionOf(key: string, video: HTMLVideoElement, stage: HTMLElement): (() => void) | undefined {
  switch (key) {
    case ' ':
    case 'k':
      return () => togglePlay(video);
    case 'ArrowLeft':
      return () => seekBy(video, -SEEK_S);
    case 'ArrowRight':
      return () => seekBy(video, SEEK_S);
    case 'ArrowUp':
      return () => stepVolume(video, 1);
    case 'ArrowDown':
      return () => stepVolume(video, -1);
    case 'm':
      return () => toggleMute(video);
    case 'f':
      return () => void toggleFullscreen(stage, video);
    default:
      return undefined;
  }
}

/** A focused button keeps its space bar, a slider its arrows, a menu and a text field all of their keys. */
function belongsToControl(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('input[type="range"]')) return event.key.startsWith('Arrow');
  if (target.closest('[role="menu"], select, input, textarea, [contenteditable]')) return true;
  return event.key === ' ' && target.closest('button, a, [role="button"]') !== null;
}

/** Space, arrows, m and f; on the whole page when the player is all there is on it. */
export function usePlayerKeys(
  video: HTMLVideoElement | null,
  stage: HTMLElement | null,
  wholePage: boolean,
): void {
  useEffect(() => {
    if (!video || !stage) return;
    const root: EventTarget = wholePage ? document : stage;
    const onKey = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey || event.altKey || belongsToControl(event)) return;
      const act = actionOf(event.key.length === 1 ? event.key.toLowerCase() : event.key, video, stage);
      if (!act) return;
      event.preventDefault();
      act();
    };
    root.addEventListener('keydown', onKey);
    return () => root.removeEventListener('keydown', onKey);
  }, [video, stage, wholePage]);
}
