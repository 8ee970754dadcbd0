import { z } from 'zod';

const raw = (description: string) => z.string().max(10_000).exactOptional().meta({ description });

/** Query parameters of every list. Read by lib/core/list-query.ts. */
export const listQuery = z.object({
  limit: raw(
    'How many objects, 1 to 1000. Without it you get all of them, up to 10,000; the `Link` header leads to the rest.',
  ).meta({ example: '20' }),
  cursor: raw('From the `Link` header of the page before; opaque. It continues in the order of that page.'),
  order: raw(
    'Fields to sort by, `<field>-true` for descending and `<field>-false` for ascending, joined by commas.',
  ),
  filters: raw('URL-encoded JSON array of `{"id": field, "value": value}`; all of them must match.').meta({
    example: '[{"id":"isActive","value":true}]',
  }),
  count: raw('Any value: the answer carries the number of all matching objects in `X-Total-Count`.'),
  name: raw('Sort by name: `asc` or `desc`.'),
});
