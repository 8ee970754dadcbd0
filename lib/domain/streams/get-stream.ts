import { notFound } from '@/lib/core/errors';
import type { TeamContext } from '@/lib/domain/context';
import type { Stream } from '@/lib/contract/streams/stream';
import { createBatchedRead } from '@/lib/infra/db';
import { serializeStream, streamColumns, type StreamWithTargets } from './serialize';

/** `keyIndex` is the position of the id in the batch, by which `createBatchedRead` assigns rows to callers. */
const readStream = createBatchedRead<StreamWithTargets>({
  name: 'get-stream',
  text: `
    select asked."keyIndex", ${streamColumns}
    from unnest($1::uuid[], $2::uuid[]) with ordinality asked("id", "teamId", "keyIndex")
    join "Stream" s on s."id" = asked."id" and s."teamId" = asked."teamId" and s."deletedAt" is null`,
});

/**
 * A stream of the team. Read without Prisma, because the dashboard polls it.
 * @throws AppError `not_found`
 */
export async function getStream(ctx: TeamContext, id: string): Promise<Stream> {
  const row = await readStream(ctx.db, id, ctx.actor.teamId);
  if (!row) throw notFound();
  return serializeStream(row, ctx);
}
