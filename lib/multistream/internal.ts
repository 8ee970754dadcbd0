import type { TeamContext } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { targetUrlFault } from '@/lib/core/targets/target-url';
import type { MultistreamTarget } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';

/** The context of an account inside a transaction. */
export type Tx = TeamContext & { readonly db: Transaction };

export const notFound = () => new AppError('not_found', 'not found');

/**
 * The target with this id, if it is the actor's.
 * @throws AppError `not_found` for a missing, deleted and foreign target alike
 */
export async function targetOf(ctx: TeamContext, id: string): Promise<MultistreamTarget> {
  const target = await ctx.db.multistreamTarget.findFirst({
    where: { id, teamId: ctx.actor.teamId, deletedAt: null },
  });
  if (!target) throw notFound();
  return target;
}

/** @throws AppError `invalid` naming `field`: no host, or our own ingest */
export function checkUrl(ctx: TeamContext, url: string, field: string): void {
  const fault = targetUrlFault(url, ctx.settings.rtmpUrl);
  if (fault) throw new AppError('invalid', `${field}: ${fault}`);
}
