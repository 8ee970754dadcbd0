import { recordAudit } from '@/lib/audit';
import { transact, type TeamContext } from '@/lib/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { updateTarget as endpoint } from '@/lib/contract/targets/multistream';
import { notify } from '@/lib/infra/notifications';
import { checkUrl, notFound, targetOf, type Tx } from './internal';

/**
 * Changes the fields in the body and keeps the rest; an empty name keeps the old one. The live role is notified
 * about every stream that uses the target.
 * @throws AppError `not_found`, `invalid` (url)
 */
export async function updateTarget(
  ctx: TeamContext,
  { id, change }: { readonly id: string; readonly change: BodyOf<typeof endpoint> },
): Promise<void> {
  const { name, url, disabled } = change;
  const { teamId } = ctx.actor;
  await transact(ctx, async (tx) => {
    await targetOf(tx, id);
    if (url !== undefined) checkUrl(tx, url, 'url');
    const data = {
      ...(name ? { name } : {}),
      ...(disabled === undefined ? {} : { disabled }),
      ...(url === undefined ? {} : { urlSealed: ctx.secrets.seal({ kind: 'target-url', id, teamId }, url) }),
    };
    if (Object.keys(data).length === 0) return;
    const where = { id, teamId, deletedAt: null };
    const { count } = await tx.db.multistreamTarget.updateMany({ where, data });
    if (count === 0) throw notFound();
    await recordAudit(tx, { action: 'target.updated', objectId: id });
    await notifyStreams(tx, id);
  });
}

async function notifyStreams(tx: Tx, targetId: string): Promise<void> {
  const references = await tx.db.streamTarget.findMany({
    where: { targetId, stream: { deletedAt: null } },
    select: { streamId: true },
    distinct: ['streamId'],
  });
  await tx.db.stream.updateMany({
    where: { id: { in: references.map(({ streamId }) => streamId) } },
    data: { settingsVersion: { increment: 1 } },
  });
  for (const { streamId } of references) await notify(tx.db, 'stream_changed', streamId);
}
