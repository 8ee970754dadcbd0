import type { TeamContext, InTransaction } from '@/lib/domain/context';
import { AppError, notFound } from '@/lib/core/errors';
import { targetUrlFault } from '@/lib/core/targets/target-url';
import type { MultistreamTarget } from '@/lib/generated/prisma/client';
import { notify } from '@/lib/infra/notifications';

/**
 * A target of the team.
 * @throws AppError `not_found` for a missing or deleted target, or one of another team
 */
export async function requireTarget(ctx: TeamContext, id: string): Promise<MultistreamTarget> {
  const target = await ctx.db.multistreamTarget.findFirst({
    where: { id, teamId: ctx.actor.teamId, deletedAt: null },
  });
  if (!target) throw notFound();
  return target;
}

/**
 * Checks the URL of a target.
 * @throws AppError `invalid` naming `field` for a URL without a host, or of the ingest of this service
 */
export function checkTargetUrl(ctx: TeamContext, url: string, field: string): void {
  const fault = targetUrlFault(url, [ctx.settings.rtmpUrl, ctx.settings.cdnUrl]);
  if (fault) throw new AppError('invalid', { field, message: fault });
}

/**
 * Locks the streams that refer to a target. Must run before the target is locked, because operations on streams lock in
 * this order.
 */
export async function lockReferringStreams(
  { db, actor }: InTransaction<TeamContext>,
  targetId: string,
): Promise<void> {
  await db.$executeRaw`
    select 1 from "Stream" where "teamId" = ${actor.teamId}::uuid
      and "id" in (select "streamId" from "StreamTarget" where "targetId" = ${targetId}::uuid)
    order by "parentId" is not null, "id" for no key update`;
}

/**
 * Increments the settings version of the streams that refer to a target, and notifies the live role about them.
 * @returns their ids
 */
export async function notifyReferringStreams(
  tx: InTransaction<TeamContext>,
  targetId: string,
): Promise<string[]> {
  const references = await tx.db.streamTarget.findMany({
    where: { targetId, stream: { deletedAt: null } },
    select: { streamId: true },
    distinct: ['streamId'],
  });
  const ids = references.map(({ streamId }) => streamId);
  await tx.db.stream.updateMany({
    where: { id: { in: ids } },
    data: { settingsVersion: { increment: 1 } },
  });
  for (const id of ids) await notify(tx.db, 'stream_changed', id);
  return ids;
}
