import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';

/** "Log out everywhere": every browser session of the account is refused from the next request on. */
export async function endSessions(ctx: AccountContext): Promise<void> {
  const { userId } = ctx.actor;
  await transact(ctx, async (tx) => {
    await tx.db.account.update({ where: { id: userId }, data: { sessionVersion: { increment: 1 } } });
    await recordAudit(tx, { action: 'account.sessions-ended', objectId: userId });
  });
}
