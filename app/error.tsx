'use client';

import { lazy, Suspense } from 'react';
import type { ErrorMessageProps } from './error-message';

/** Every page loads this file, and next to none shows it. What cannot be fetched then ends at global-error.tsx. */
const ErrorMessage = lazy(() => import('./error-message'));

export default function ErrorPage(props: ErrorMessageProps) {
  return (
    <Suspense fallback={null}>
      <ErrorMessage {...props} />
    </Suspense>
  );
}
