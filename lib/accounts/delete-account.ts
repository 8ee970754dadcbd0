import { recordAudit } from '@/lib/audit';
import { type AccountContext, type Context, type SystemContext, transact } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { deletedRecordingState, recordingStatesBefore } from '@/lib/core/recordings/recording-state';
import { taskPhaseAfter, taskPhasesBefore } from '@/lib/core/tasks/task-state';
import { newId } from '@/lib/infra/ids';
import { confirmPassword } from './authenticate-password';
import { hashPassword } from '@/lib/infra/hash-password';

/**
 * Deletes the caller's account. As for a suspended one, publishes are cut within seconds, and playback, keys,
 * deliveries and tasks stop at once; `purgeAccounts` removes the rest. The address is free for another account.
 * @throws AppError `invalid` when the address is another one, `forbidden` for a wrong password
 */
export async function deleteAccount(
  ctx: AccountContext,
  input: { readonly email: string; readonly password: string },
): Promise<void> {
  const { userId } = ctx.actor;
  const account = await ctx.db.account.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  if (input.email.trim().toLowerCase() !== account.email) {
    throw new AppError('invalid', 'email: is not the email address of this account');
  }
  await confirmPassword(ctx, input.password, 'password');
  const passwordHash = await unusablePassword();
  await transact(ctx, async (tx) => {
    await closeAccount(tx, userId, passwordHash);
    await recordAudit(tx, { action: 'account.deleted', objectId: userId });
  });
}

/** The hash of a random password that is not kept. */
export const unusablePassword = (): Promise<string> => hashPassword(newId());

/** Stops everything of the account; `purgeAccounts` removes it. */
export async function closeAccount(
  { db, clock }: Context,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await db.account.update({
    where: { id: userId },
    data: {
      email: `deleted:${userId}`,
      passwordHash,
      suspended: true,
      sessionVersion: { increment: 1 },
      deletedAt: clock.now(),
    },
  });
}

const batch = 20;
/** Too long ago for a deleted asset to be restored: its bytes are removed on the next run. */
const longAgo = new Date(0);

/**
 * Removes deleted accounts step by step: first everything they own is marked for deletion; once no bytes are left and
 * no process works on them, the rows are deleted. Runs periodically, and a crash loses nothing. @returns how many
 * accounts were removed
 */
export async function purgeAccounts(ctx: SystemContext): Promise<number> {
  const accounts = await ctx.db.account.findMany({
    where: { deletedAt: { not: null } },
    select: { id: true },
    orderBy: { deletedAt: 'asc' },
    take: batch,
  });
  let gone = 0;
  for (const { id } of accounts) {
    await purgeAccount(ctx, id);
    if (await stillHasContent(ctx, id)) continue;
    // Streams, sessions, assets, tasks, keys, webhooks and events are deleted with it; the audit log stays.
    await ctx.db.account.delete({ where: { id } });
    gone++;
  }
  return gone;
}

/** Marks everything that the account owns as deleted, in the fields that the sweeps for bytes read. */
async function purgeAccount(ctx: SystemContext, userId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.stream.updateMany({
    where: { userId, deletedAt: null },
    data: { deletedAt: now, testPatternUntil: null },
  });
  await ctx.db.task.updateMany({
    where: { userId, phase: { in: taskPhasesBefore('cancelled') } },
    data: { phase: taskPhaseAfter('cancelled'), statusUpdatedAt: now },
  });
  await ctx.db.asset.updateMany({
    where: { userId, bytesRemovedAt: null },
    data: { deletedAt: longAgo, uploadLease: null, uploadLeaseUntil: null },
  });
  // Segments of a session may still be uploading to storage until `recordingDueAt`.
  await ctx.db.session.updateMany({
    where: {
      userId,
      state: { not: 'live' },
      recording: { in: recordingStatesBefore('account_deleted') },
      recordingLease: null,
      OR: [{ recordingDueAt: null }, { recordingDueAt: { lte: now } }],
    },
    data: { recording: deletedRecordingState, recordingDueAt: null },
  });
}

/** True while files exist or could still be written. */
async function stillHasContent(ctx: SystemContext, userId: string): Promise<boolean> {
  const held = await Promise.all([
    ctx.db.account.count({ where: { id: userId, brandLogo: { not: null } } }),
    ctx.db.stream.count({ where: { userId, liveNodeId: { not: null } } }),
    ctx.db.asset.count({ where: { userId, bytesRemovedAt: null } }),
    ctx.db.task.count({ where: { userId, phase: { in: taskPhasesBefore('progressed') } } }),
    ctx.db.session.count({
      where: {
        userId,
        OR: [{ state: 'live' }, { recording: { not: 'none' }, recordingRemovedAt: null }],
      },
    }),
  ]);
  return held.some((count) => count > 0);
}
