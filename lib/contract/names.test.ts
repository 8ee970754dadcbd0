import { expect, test } from 'vitest';
import { z } from 'zod';
import { registry } from './registry';
import { nameText } from './primitives';

test.each(['Town hall', 'é', '川', '7', '😀', ' a '])('%j is accepted as a name', (name) =>
  expect(nameText(500).safeParse(name).success).toBe(true),
);

test.each([' ', '\t\n', '\u{a0}', '\u{200b}', '\u{2800}', '\u{feff} \u{2003}'])(
  '%j is rejected as blank',
  (name) =>
    expect(nameText(500).safeParse(name).error?.issues).toMatchObject([
      { message: 'must not be blank; enter at least one letter or digit' },
    ]),
);

test('an empty name is rejected with one message', () =>
  expect(nameText(500).safeParse('').error?.issues).toHaveLength(1));

/** Ids of endpoints whose `name` in the body is that of an existing object. */
const endpointsWithReferences: ReadonlySet<string> = new Set(['dismissProblem']);

const bodiesWithName = registry.flatMap(({ id, body }) =>
  body instanceof z.ZodObject && 'name' in body.shape && !endpointsWithReferences.has(id)
    ? [[id, body] as const]
    : [],
);

test('more than ten endpoints have a name in the body', () =>
  expect(bodiesWithName.length).toBeGreaterThan(10));

test.each(bodiesWithName)('%s rejects a blank name', (_, body) => {
  const issues = body.safeParse({ name: ' \u{200b}' }).error?.issues ?? [];
  expect(issues.some(({ path }) => path[0] === 'name')).toBe(true);
});
