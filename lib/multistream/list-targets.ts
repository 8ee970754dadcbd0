import type { AccountContext } from '@/lib/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { targetListFields, type MultistreamTarget } from '@/lib/contract/multistream';
import type { listTargets as endpoint } from '@/lib/contract/multistream-endpoints';
import { cursorAfter, parseListQuery } from '@/lib/core/list-query';
import { conditionsOf, filterConditionsOf, orderByOf } from '@/lib/core/list-where';
import { serializeTarget } from './serialize';

/**
 * One page of the account's targets, by id unless told otherwise (specification §4.3, api-contract §2.1).
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listTargets(
  ctx: AccountContext,
  query: QueryOf<typeof endpoint>,
): Promise<Page<MultistreamTarget>> {
  const request = parseListQuery(query, targetListFields, 'id-false');
  const scope = { userId: ctx.actor.userId, deletedAt: null };
  const rows = await ctx.db.multistreamTarget.findMany({
    where: { ...scope, AND: conditionsOf(request) },
    orderBy: orderByOf(request.order),
    // One more than asked for tells whether another page exists.
    take: request.limit + 1,
  });
  const page = rows.slice(0, request.limit);
  const last = page.at(-1);
  return {
    items: page.map(serializeTarget),
    nextCursor: last && rows.length > page.length ? cursorAfter(last, request.order) : null,
    total: request.count
      ? await ctx.db.multistreamTarget.count({ where: { ...scope, AND: filterConditionsOf(request) } })
      : null,
  };
}
