'use client';

import { type ComponentProps, Suspense, lazy } from 'react';

const Gated = lazy(() => import('./gated'));

/** The player of gated content. Its code is loaded only when needed. */
export function GatedPlayer(props: ComponentProps<typeof Gated>) {
  return (
    <Suspense fallback={null}>
      <Gated {...props} />
    </Suspense>
  );
}
