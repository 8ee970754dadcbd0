import { describe, expect, test } from 'vitest';
import { registry } from '@/lib/contract/registry';
import { badFields, isTaken } from './bad-bodies';

/**
 * Tries every field with every wrong value on the schemas of all endpoints; bad-input.db.test.ts does so over HTTP.
 */
const withBody = registry.filter(({ body }) => body !== undefined);

describe.each(withBody.map((endpoint) => [endpoint.id, endpoint] as const))(
  'the body of %s',
  (id, endpoint) => {
    test('is refused with a wrong value in any field', () => {
      const example = endpoint.example.body as Record<string, unknown> | undefined;
      expect(endpoint.body?.safeParse(example).success).toBe(true);
      const cases = badFields(endpoint, { ...example });
      const accepted = cases.filter(({ body }) => endpoint.body?.safeParse(body).success === true);
      const unexpectedCases = accepted.filter(
        ({ field, value, isWrong }) => isWrong && !isTaken(id, field, value),
      );
      expect(unexpectedCases.map(({ description }) => description)).toEqual([]);
    });
  },
);
