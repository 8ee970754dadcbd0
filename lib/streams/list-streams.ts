import type { AccountContext } from '@/lib/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { streamListFields, type Stream } from '@/lib/contract/stream';
import type { listStreams as endpoint } from '@/lib/contract/stream-endpoints';
import { cursorAfter, parseListQuery, saysYes } from '@/lib/core/list-query';
import { conditionsOf, filterConditionsOf, orderByOf } from '@/lib/core/list-where';
import type { Prisma } from '@/lib/generated/prisma/client';
import { serializeStream, withTargets } from './serialize';

const defaultOrder = 'lastSeen-true,createdAt-true';

/**
 * One page of the account's stream objects (specification §4.1, api-contract §2.1).
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listStreams(
  ctx: AccountContext,
  query: QueryOf<typeof endpoint>,
): Promise<Page<Stream>> {
  const request = parseListQuery(query, streamListFields, defaultOrder);
  const scope: Prisma.StreamWhereInput = {
    userId: ctx.actor.userId,
    deletedAt: null,
    ...(saysYes(query.streamsonly) ? { parentId: null } : {}),
    ...(saysYes(query.sessionsonly) ? { parentId: { not: null } } : {}),
    ...(saysYes(query.active) ? { isActive: true } : {}),
  };
  const rows = await ctx.db.stream.findMany({
    where: { ...scope, AND: conditionsOf(request) },
    orderBy: orderByOf(request.order),
    // One more than asked for tells whether another page exists.
    take: request.limit + 1,
    include: withTargets,
  });
  const page = rows.slice(0, request.limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => serializeStream(row, ctx.secrets)),
    nextCursor: last && rows.length > page.length ? cursorAfter(last, request.order) : null,
    total: request.count
      ? await ctx.db.stream.count({ where: { ...scope, AND: filterConditionsOf(request) } })
      : null,
  };
}
