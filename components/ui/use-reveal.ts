'use client';

import { useCallback, useEffect, useState } from 'react';

/** A secret in sight is hidden again after this long. */
const HIDE_AFTER_MS = 30_000;

export function useReveal(): { revealed: boolean; toggle: () => void } {
  const [revealed, setRevealed] = useState(false);
  useEffect(() => {
    if (!revealed) return;
    const timer = setTimeout(() => setRevealed(false), HIDE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [revealed]);
  const toggle = useCallback(() => setRevealed((now) => !now), []);
  return { revealed, toggle };
}
