'use client';

import type { ReactNode } from 'react';
import { useHydrated } from '@/components/ui/use-hydrated';

/** Fields of a server-rendered form, disabled until hydration, because earlier input would be lost. */
export function FieldsAfterHydration({ children }: { children: ReactNode }) {
  return (
    <fieldset disabled={!useHydrated()} className="grid min-w-0 gap-5">
      {children}
    </fieldset>
  );
}
