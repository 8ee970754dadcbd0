import type { AccountContext } from '@/lib/context';
import type { Stream } from '@/lib/contract/stream';
import { readRows } from '@/lib/infra/db';
import { notFound } from './internal';
import { serializeStream, streamsWithTargets, type StreamWithTargets } from './serialize';

/** Asked for again and again, so read without Prisma. @throws AppError `not_found` */
export async function getStream(ctx: AccountContext, id: string): Promise<Stream> {
  const [row] = await readRows<StreamWithTargets>(ctx.db, {
    name: 'get-stream',
    text: `${streamsWithTargets} where s."id" = $1 and s."userId" = $2 and s."deletedAt" is null`,
    values: [id, ctx.actor.userId],
  });
  if (!row) throw notFound();
  return serializeStream(row, ctx.secrets);
}
