'use client';

import { type ComponentProps, Suspense, lazy } from 'react';

const Unready = lazy(() => import('./unready'));

/** Its code is loaded only where there is nothing to play yet. */
export function UnreadyStage(props: ComponentProps<typeof Unready>) {
  return (
    <Suspense fallback={null}>
      <Unready {...props} />
    </Suspense>
  );
}
