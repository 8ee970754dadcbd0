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
 * Values to try with this endpoint: all in the full suite, otherwise `count` of them. The next endpoint gets the next
 * values, so that all values are tried over all endpoints.
 */
export function rotate<T>(values: readonly T[], endpoint: Endpoint, count = 1): readonly T[] {
  if (inject('full') || values.length <= count) return values;
  const first = endpoints.findIndex(({ id }) => id === endpoint.id) * count;
  const rotation = Array.from({ length: count }, (_, at) => (first + at) % values.length);
  return values.filter((_, at) => rotation.includes(at));
}
