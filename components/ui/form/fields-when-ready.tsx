'use client';

import type { ReactNode } from 'react';
import { useHydrated } from '@/components/ui/use-hydrated';

/**
 * Fields of a form that is there before the page's code: until that runs, they take nothing, because what was typed
 * and sent would be lost.
 */
export function FieldsWhenReady({ children }: { children: ReactNode }) {
  return (
    <fieldset disabled={!useHydrated()} className="grid min-w-0 gap-5">
      {children}
    </fieldset>
  );
}
