import { inject } from 'vitest';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { endpoints } from './test-api';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether this is `npm run test:full`. */
    full: boolean;
  }
}

/**
 * Chooses the values to try with this endpoint: all of them in the full suite, otherwise `count` of them. The next endpoint
 * gets the next values, so that every value is tried with some endpoint.
 */
export function chooseValues<T>(values: readonly T[], endpoint: Endpoint, count = 1): readonly T[] {
  if (inject('full') || values.length <= count) return values;
  const firstIndex = endpoints.findIndex(({ id }) => id === endpoint.id) * count;
  const chosenIndexes = Array.from({ length: count }, (_, step) => (firstIndex + step) % values.length);
  return values.filter((_, index) => chosenIndexes.includes(index));
}
