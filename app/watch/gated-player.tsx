'use client';

import { type ComponentProps, Suspense, lazy } from 'react';

const Gated = lazy(() => import('./gated'));

/** The player of what not everybody may watch. Its code is loaded only there. */
export function GatedPlayer(props: ComponentProps<typeof Gated>) {
  return (
    <Suspense fallback={null}>
      <Gated {...props} />
    </Suspense>
  );
}
