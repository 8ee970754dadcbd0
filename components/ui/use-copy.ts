'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { copyText } from './copy-text';

/** Copies text; `copied` stays true for 2 s, long enough to be seen. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<boolean> } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = useCallback(async (text: string) => {
    const done = await copyText(text);
    clearTimeout(timer.current);
    setCopied(done);
    timer.current = setTimeout(() => setCopied(false), 2000);
    return done;
  }, []);
  return { copied, copy };
}
