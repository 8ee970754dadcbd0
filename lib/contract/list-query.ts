import { z } from 'zod';

const raw = (description: string) => z.string().max(10_000).exactOptional().meta({ description });

/** Query parameters of every list. Read by lib/core/list-query.ts. */
export const listQuery = z.object({
  limit: raw(
    'Number of objects, 1 to 1000. Without it, all objects up to 10,000 are returned. The `Link` header leads to the rest.',
  ).meta({ example: '20' }),
  cursor: raw('Opaque, from the `Link` header of the previous page. Continues in the order of that page.'),
  order: raw(
    'Fields to sort by, `<field>-true` for descending and `<field>-false` for ascending, joined by commas.',
  ),
  filters: raw('URL-encoded JSON array of `{"id": field, "value": value}`. All filters must match.').meta({
    example: '[{"id":"isActive","value":true}]',
  }),
  count: raw('With any value, the response has the total number of matching objects in `X-Total-Count`.'),
  name: raw('Sort by name: `asc` or `desc`.'),
});
