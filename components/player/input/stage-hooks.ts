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

const QUIET_AFTER_MS = 2500;
const STIRRING = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

interface ControlsVisibility {
  /** Whether the viewer is inactive, which hides the controls. */
  quiet: boolean;
  show: () => void;
  hide: () => void;
}

/** Mouse and keyboard show the controls; touches do so through the tap handler. */
export function useControlsVisibility(
  stage: HTMLElement | null,
  video: HTMLVideoElement | null,
): ControlsVisibility {
  const [quiet, setQuiet] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const hide = useCallback(() => {
    clearTimeout(timer.current);
    setQuiet(true);
  }, []);
  const show = useCallback(() => {
    setQuiet(false);
    clearTimeout(timer.current);
    timer.current = setTimeout(hide, QUIET_AFTER_MS);
  }, [hide]);
  const onStir = useEffectEvent((event: Event) => {
    const touch = event instanceof window.PointerEvent && event.pointerType === 'touch';
    // A tap moves the focus to the stage while the finger is still down.
    if ((touch && event.target === video) || (event.type === 'focusin' && event.target === stage)) return;
    show();
  });
  useEffect(() => {
    if (!stage) return;
    timer.current = setTimeout(hide, QUIET_AFTER_MS);
    const stir = (event: Event) => onStir(event);
    const leave = (event: globalThis.PointerEvent) => event.pointerType !== 'touch' && hide();
    for (const name of STIRRING) stage.addEventListener(name, stir);
    stage.addEventListener('pointerleave', leave);
    return () => {
      clearTimeout(timer.current);
      for (const name of STIRRING) stage.removeEventListener(name, stir);
      stage.removeEventListener('pointerleave', leave);
    };
  }, [stage, hide]);
  return useMemo(() => ({ quiet, show, hide }), [quiet, show, hide]);
}

interface VideoTaps {
  onPointerDown: (event: PointerEvent) => void;
  onClick: (event: MouseEvent<HTMLElement>) => void;
}

/** Turns clicks and taps on the picture into actions. */
export function useVideoTaps(
  context: Omit<TapContext, 'previous'>,
  act: (action: TapAction) => void,
): VideoTaps {
  const pointer = useRef<Tap['pointer']>('mouse');
  const previous = useRef<TapContext['previous']>(null);
  return {
    // Not every browser reports the pointer type of a click.
    onPointerDown: ({ pointerType }) => (pointer.current = pointerType === 'touch' ? 'touch' : 'mouse'),
    onClick: (event) => {
      const { left, width } = event.currentTarget.getBoundingClientRect();
      const at = (event.clientX - left) / width;
      const tap: Tap = { pointer: pointer.current, at, time: event.timeStamp };
      const action = tapAction(tap, { ...context, previous: previous.current });
      previous.current = { tap, action };
      act(action);
    },
  };
}
