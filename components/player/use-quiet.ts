'use client';

import { useEffect, useState } from 'react';

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
