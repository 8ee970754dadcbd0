'use client';

import { type ComponentProps, Suspense, lazy } from 'react';

const UnreadyStageContent = lazy(() => import('./unready'));

/** Stage of unready content, whose code is loaded only when needed. */
export function UnreadyStage(props: ComponentProps<typeof UnreadyStageContent>) {
  return (
    <Suspense fallback={null}>
      <UnreadyStageContent {...props} />
    </Suspense>
  );
}
