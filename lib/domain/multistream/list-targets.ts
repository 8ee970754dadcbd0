import type { TeamContext } from '@/lib/domain/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import {
  type MultistreamTarget,
  type listTargets as listTargetsEndpoint,
  targetListFields,
} from '@/lib/contract/targets/multistream';
import { readPage } from '@/lib/core/lists/list-page';
import { parseListQuery } from '@/lib/core/lists/list-query';
import { requireTarget } from './internal';
import { serializeTarget } from './serialize';

/** @throws AppError `not_found` */
export async function getTarget(ctx: TeamContext, id: string): Promise<MultistreamTarget> {
  return serializeTarget(await requireTarget(ctx, id));
}

/**
 * One page of the team's targets, newest first by default.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listTargets(
  ctx: TeamContext,
  query: QueryOf<typeof listTargetsEndpoint>,
): Promise<Page<MultistreamTarget>> {
  const request = parseListQuery(query, targetListFields, 'createdAt-true');
  const scope = { teamId: ctx.actor.teamId, deletedAt: null };
  return readPage(request, {
    findRows: ({ conditions, orderBy, take }) =>
      ctx.db.multistreamTarget.findMany({ where: { ...scope, AND: conditions }, orderBy, take }),
    countRows: (conditions) => ctx.db.multistreamTarget.count({ where: { ...scope, AND: conditions } }),
    toItem: serializeTarget,
  });
}
