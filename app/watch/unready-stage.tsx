'use client';

import { type ComponentProps, Suspense, lazy } from 'react';

const Unready = lazy(() => import('./unready'));

/** Loaded only while there is nothing to play. */
export function UnreadyStage(props: ComponentProps<typeof Unready>) {
  return (
    <Suspense fallback={null}>
      <Unready {...props} />
    </Suspense>
  );
}
