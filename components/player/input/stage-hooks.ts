'use client';

import {
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { tapAction, type Tap, type TapAction, type TapContext } from './tap';

/** Time without activity after which the controls are hidden. */
const INACTIVITY_TIMEOUT_MS = 2500;
const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

interface ControlsVisibility {
  /** Whether the viewer is inactive, which hides the controls. */
  isInactive: boolean;
  show: () => void;
  hide: () => void;
}

/**
 * Visibility of the controls, which appear on mouse and keyboard activity. `useVideoTaps` handles touches.
 * @param stage root element of the player; null before it is rendered
 */
export function useControlsVisibility(
  stage: HTMLElement | null,
  video: HTMLVideoElement | null,
): ControlsVisibility {
  const [isInactive, setInactive] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const hide = useCallback(() => {
    clearTimeout(timer.current);
    setInactive(true);
  }, []);
  const show = useCallback(() => {
    setInactive(false);
    clearTimeout(timer.current);
    timer.current = setTimeout(hide, INACTIVITY_TIMEOUT_MS);
  }, [hide]);
  const onActivity = useEffectEvent((event: Event) => {
    const isTouch = event instanceof window.PointerEvent && event.pointerType === 'touch';
    // A tap moves the focus to the stage while the finger is still down.
    if ((isTouch && event.target === video) || (event.type === 'focusin' && event.target === stage)) return;
    show();
  });
  useEffect(() => {
    if (!stage) return;
    timer.current = setTimeout(hide, INACTIVITY_TIMEOUT_MS);
    const handleActivity = (event: Event) => onActivity(event);
    const onPointerLeave = (event: globalThis.PointerEvent) => event.pointerType !== 'touch' && hide();
    for (const name of ACTIVITY_EVENTS) stage.addEventListener(name, handleActivity);
    stage.addEventListener('pointerleave', onPointerLeave);
    return () => {
      clearTimeout(timer.current);
      for (const name of ACTIVITY_EVENTS) stage.removeEventListener(name, handleActivity);
      stage.removeEventListener('pointerleave', onPointerLeave);
    };
  }, [stage, hide]);
  return useMemo(() => ({ isInactive, show, hide }), [isInactive, show, hide]);
}

interface VideoTaps {
  onPointerDown: (event: PointerEvent) => void;
  onClick: (event: MouseEvent<HTMLElement>) => void;
}

/**
 * Event handlers for clicks and taps on the video.
 * @param onAction called with the action of each click or tap
 */
export function useVideoTaps(
  context: Omit<TapContext, 'previous'>,
  onAction: (action: TapAction) => void,
): VideoTaps {
  const pointer = useRef<Tap['pointer']>('mouse');
  const previous = useRef<TapContext['previous']>(null);
  return {
    // The pointer type is stored here, because not every browser reports it for a click.
    onPointerDown: ({ pointerType }) => (pointer.current = pointerType === 'touch' ? 'touch' : 'mouse'),
    onClick: (event) => {
      const { left, width } = event.currentTarget.getBoundingClientRect();
      const xFraction = (event.clientX - left) / width;
      const tap: Tap = { pointer: pointer.current, xFraction, timeMs: event.timeStamp };
      const action = tapAction(tap, { ...context, previous: previous.current });
      previous.current = { tap, action };
      onAction(action);
    },
  };
}
