'use client';

import { useCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { Broadcast } from '@/lib/core/streams/broadcast';
import { SEEK_S, seekBy, stepVolume, toggleFullscreen, toggleMute, togglePlay } from './media-actions';
import { Playback, type PlaybackView, firstView } from './playback';

interface PlaybackControl {
  view: PlaybackView;
  choose: (rendition: number) => void;
  jumpToLive: () => void;
}

/**
 * Ties a Playback to a <video> for as long as both are on the page. `src` null = there is nothing to play; undefined =
 * its address is not known yet.
 */
export function usePlayback(
  video: HTMLVideoElement | null,
  src: string | null | undefined,
  live: boolean | undefined,
  autoplay: boolean,
  broadcast?: Broadcast,
): PlaybackControl {
  const [view, setView] = useState(() => firstView(live, broadcast));
  const playback = useRef<Playback | null>(null);
  const create = useEffectEvent((element: HTMLVideoElement, from: string) => {
    return new Playback(element, from, live, autoplay, setView, broadcast);
  });

  useEffect(() => {
    if (!video || src === null || src === undefined) return;
    const opened = create(video, src);
    playback.current = opened;
    opened.open();
    return () => {
      opened.close();
      playback.current = null;
    };
  }, [video, src]);

  useEffect(() => playback.current?.hint(live), [live]);

  const choose = useCallback((rendition: number) => playback.current?.choose(rendition), []);
  const jumpToLive = useCallback(() => playback.current?.jumpToLive(), []);
  return { view: src === null ? { ...view, phase: 'not-found' } : view, choose, jumpToLive };
}

/** A property of the <video> that stays true: read again at each of the named events. */
export function useMediaValue<T extends boolean | number>(
  video: HTMLVideoElement | null,
  events: string,
  read: (video: HTMLVideoElement) => T,
  otherwise: T,
): T {
  const subscribe = useCallback(
    (changed: () => void) => {
      const names = events.split(' ');
      for (const name of names) {
        video?.addEventListener(name, changed);
        document.addEventListener(name, changed);
      }
      return () => {
        for (const name of names) {
          video?.removeEventListener(name, changed);
          document.removeEventListener(name, changed);
        }
      };
    },
    [video, events],
  );
  return useSyncExternalStore(
    subscribe,
    () => (video ? read(video) : otherwise),
    () => otherwise,
  );
}

const QUIET_AFTER_MS = 2500;

/** True while pointer and keyboard have left the stage alone: the controls step back then. */
export function useQuiet(stage: HTMLElement | null): boolean {
  const [quiet, setQuiet] = useState(false);
  useEffect(() => {
    if (!stage) return;
    let timer: ReturnType<typeof setTimeout>;
    const rest = () => setQuiet(true);
    const stir = () => {
      setQuiet(false);
      clearTimeout(timer);
      timer = setTimeout(rest, QUIET_AFTER_MS);
    };
    timer = setTimeout(rest, QUIET_AFTER_MS);
    const stirring = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;
    for (const name of stirring) stage.addEventListener(name, stir);
    stage.addEventListener('pointerleave', rest);
    return () => {
      clearTimeout(timer);
      for (const name of stirring) stage.removeEventListener(name, stir);
      stage.removeEventListener('pointerleave', rest);
    };
  }, [stage]);
  return quiet;
}

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
