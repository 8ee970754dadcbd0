import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { updateStream as endpoint } from '@/lib/contract/stream-endpoints';
import { AppError } from '@/lib/core/errors';
import type { Prisma } from '@/lib/generated/prisma/client';
import { notify } from '@/lib/infra/notifications';
import { checkProfiles, checkTargets, notFound, streamOf } from './internal';
import { profilesOf } from './serialize';

/**
 * Changes what the body names and keeps the rest (specification §4.1). The live role hears of it when the
 * transaction commits, and cuts a publish that was suspended.
 * @throws AppError `not_found`, `bad_request` (child-session object, profiles, targets)
 */
export async function updateStream(
  ctx: AccountContext,
  { id, change }: { readonly id: string; readonly change: BodyOf<typeof endpoint> },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const stream = await streamOf(tx, id);
    if (stream.parentId !== null) throw new AppError('bad_request', "can't patch stream session");
    const { name, record, suspended, multistream } = change;
    const profiles = change.profiles ?? undefined;
    if (profiles) checkProfiles(profiles);
    checkTargets(multistream?.targets ?? [], profiles ?? profilesOf(stream));
    await writeChange(tx, id, {
      ...(name === undefined ? {} : { name }),
      ...(record === undefined ? {} : { record }),
      ...(suspended === undefined ? {} : { suspended }),
      ...(profiles ? { profiles } : {}),
    });
  });
}

/**
 * Switches recording of the sessions to come (specification §4.1).
 * @throws AppError `not_found`, `bad_request` for a child-session object
 */
export async function setRecord(
  ctx: AccountContext,
  { id, record }: { readonly id: string; readonly record: boolean },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const stream = await streamOf(tx, id);
    if (stream.parentId !== null) throw new AppError('bad_request', "can't set for session");
    await writeChange(tx, id, { record });
  });
}

type Tx = Parameters<Parameters<typeof transact<AccountContext['actor'], void>>[1]>[0];

async function writeChange(tx: Tx, id: string, data: Prisma.StreamUpdateManyMutationInput): Promise<void> {
  if (Object.keys(data).length === 0) return;
  const where = { id, userId: tx.actor.userId, deletedAt: null };
  const { count } = await tx.db.stream.updateMany({ where, data });
  if (count === 0) throw notFound();
  await recordAudit(tx, { action: 'stream.updated', objectId: id });
  await notify(tx.db, 'stream_changed', id);
}
