'use client';

import { type ComponentProps, Suspense, lazy } from 'react';

const UnreadyStageContent = lazy(() => import('./unready-stage-content'));

/** Progress of an asset that cannot be played yet, in place of the player. Its code is loaded only when needed. */
export function UnreadyStage(props: ComponentProps<typeof UnreadyStageContent>) {
  return (
    <Suspense fallback={null}>
      <UnreadyStageContent {...props} />
    </Suspense>
  );
}
