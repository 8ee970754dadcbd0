import { describe, expect, test } from 'vitest';
import { registry } from '@/lib/contract/registry';
import { badFields, isAccepted } from './bad-bodies';

/**
 * Tests the schemas of all endpoints with every wrong value in every field. bad-input.db.test.ts sends some of these bodies to
 * the API.
 */
const endpointsWithBody = registry.filter(({ body }) => body !== undefined);

describe.each(endpointsWithBody.map((endpoint) => [endpoint.id, endpoint] as const))(
  'the body of %s',
  (id, endpoint) => {
    test('is rejected with a wrong value in any field', () => {
      const example = endpoint.example.body as Record<string, unknown> | undefined;
      expect(endpoint.body?.safeParse(example).success).toBe(true);
      const cases = badFields(endpoint, { ...example });
      const accepted = cases.filter(({ body }) => endpoint.body?.safeParse(body).success === true);
      const unexpectedCases = accepted.filter(
        ({ field, value, isWrong }) => isWrong && !isAccepted(id, field, value),
      );
      expect(unexpectedCases.map(({ description }) => description)).toEqual([]);
    });
  },
);
