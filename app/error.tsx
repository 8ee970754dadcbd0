'use client';

import { lazy, Suspense } from 'react';
import type { ErrorMessageProps } from './error-message';

/**
 * Every page loads this file, and almost none shows it. If the chunk cannot be fetched, global-error.tsx is shown.
 */
const ErrorMessage = lazy(() => import('./error-message'));

export default function ErrorPage(props: ErrorMessageProps) {
  return (
    <Suspense fallback={null}>
      <ErrorMessage {...props} />
    </Suspense>
  );
}
