'use client';

import { type ComponentProps, Suspense, lazy } from 'react';

const RestrictedPlayerContent = lazy(() => import('./restricted-player-content'));

/** The player of restricted content. Its code is loaded only when needed. */
export function RestrictedPlayer(props: ComponentProps<typeof RestrictedPlayerContent>) {
  return (
    <Suspense fallback={null}>
      <RestrictedPlayerContent {...props} />
    </Suspense>
  );
}
