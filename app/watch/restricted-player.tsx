'use client';

import { type ComponentProps, Suspense, lazy } from 'react';

const GatedPlayerContent = lazy(() => import('./restricted'));

/** The player of restricted content. Its code is loaded only when needed. */
export function RestrictedPlayer(props: ComponentProps<typeof GatedPlayerContent>) {
  return (
    <Suspense fallback={null}>
      <GatedPlayerContent {...props} />
    </Suspense>
  );
}
