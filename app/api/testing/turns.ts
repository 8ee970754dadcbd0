import { inject } from 'vitest';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { endpoints } from './test-api';

declare module 'vitest' {
  interface ProvidedContext {
    /** `npm run test:full` */
    full: boolean;
  }
}

/**
 * What a test of every endpoint tries with this one: all values in the full suite, otherwise `count` of them. The next
 * endpoint takes the next ones, so that together they try all.
 */
export function rotate<T>(values: readonly T[], endpoint: Endpoint, count = 1): readonly T[] {
  if (inject('full') || values.length <= count) return values;
  const first = endpoints.findIndex(({ id }) => id === endpoint.id) * count;
  const rotation = Array.from({ length: count }, (_, at) => (first + at) % values.length);
  return values.filter((_, at) => rotation.includes(at));
}
