import type { AccountContext } from '@/lib/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { targetListFields, type MultistreamTarget } from '@/lib/contract/multistream';
import type { listTargets as endpoint } from '@/lib/contract/multistream-endpoints';
import { readPage } from '@/lib/core/list-page';
import { parseListQuery } from '@/lib/core/list-query';
import { serializeTarget } from './serialize';

/**
 * One page of the account's targets, by id by default.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listTargets(
  ctx: AccountContext,
  query: QueryOf<typeof endpoint>,
): Promise<Page<MultistreamTarget>> {
  const request = parseListQuery(query, targetListFields, 'id-false');
  const scope = { userId: ctx.actor.userId, deletedAt: null };
  return readPage(request, {
    rows: ({ conditions, orderBy, take }) =>
      ctx.db.multistreamTarget.findMany({ where: { ...scope, AND: conditions }, orderBy, take }),
    count: (conditions) => ctx.db.multistreamTarget.count({ where: { ...scope, AND: conditions } }),
    item: serializeTarget,
  });
}
