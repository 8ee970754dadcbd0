'use client';

import { type ComponentProps, Suspense, lazy } from 'react';

const Unready = lazy(() => import('./unready'));

/** Stage of unready content, whose code is loaded only when needed. */
export function UnreadyStage(props: ComponentProps<typeof Unready>) {
  return (
    <Suspense fallback={null}>
      <Unready {...props} />
    </Suspense>
  );
}
