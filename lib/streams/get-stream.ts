import type { AccountContext } from '@/lib/context';
import type { Stream } from '@/lib/contract/stream';
import { notFound } from './internal';
import { serializeStream, withTargets } from './serialize';

/** @throws AppError `not_found` */
export async function getStream(ctx: AccountContext, id: string): Promise<Stream> {
  const row = await ctx.db.stream.findFirst({
    where: { id, userId: ctx.actor.userId, deletedAt: null },
    include: withTargets,
  });
  if (!row) throw notFound();
  return serializeStream(row, ctx.secrets);
}
