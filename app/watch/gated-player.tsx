'use client';

import { type ComponentProps, Suspense, lazy } from 'react';

const GatedPlayerContent = lazy(() => import('./gated'));

/** The player of gated content. Its code is loaded only when needed. */
export function GatedPlayer(props: ComponentProps<typeof GatedPlayerContent>) {
  return (
    <Suspense fallback={null}>
      <GatedPlayerContent {...props} />
    </Suspense>
  );
}
