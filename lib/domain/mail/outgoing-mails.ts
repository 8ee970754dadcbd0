import { backoffDelay } from '@/lib/core/backoff';
import { MINUTE_MS } from '@/lib/core/units';
import type { InTransaction, SystemContext } from '@/lib/domain/context';
import type { OutgoingMail } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import type { Mail, Mailer } from '@/lib/infra/mail/mailer';
import { driverErrorMessage } from '@/lib/infra/driver-error';

/** Mails per sweep; the next sweep continues. */
const BATCH_SIZE = 20;
/** Lease of a mail that is being sent, longer than the timeout of the mail server (lib/infra/mail/mailer.ts). */
const LEASE_MS = 2 * MINUTE_MS;
const retryDelays = { firstDelay: MINUTE_MS, maxDelay: 30 * MINUTE_MS };
/** Maximum failures of a mail, reached after about two hours. A mail about a live stream is useless after that. */
const MAX_FAILURES = 8;

/** Queues mails, which are sent after the transaction is committed. */
export async function enqueueMails(tx: InTransaction<SystemContext>, mails: readonly Mail[]): Promise<void> {
  const dueAt = tx.clock.now();
  await tx.db.outgoingMail.createMany({ data: mails.map((mail) => ({ ...mail, id: newId(), dueAt })) });
}

/**
 * Sends the due mails. A mail that the server rejects is retried with increasing delays and deleted after eight failures. A
 * mail whose process is killed during the attempt is sent again.
 */
export async function sendDueMails(ctx: SystemContext, mailer: Pick<Mailer, 'send'>): Promise<void> {
  const mails = await ctx.db.$queryRaw<OutgoingMail[]>`
    update "OutgoingMail" set "dueAt" = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
    where "id" in (
      select "id" from "OutgoingMail" where "dueAt" <= clock_timestamp()
      order by "dueAt" limit ${BATCH_SIZE} for update skip locked)
    returning *`;
  await Promise.all(mails.map((mail) => sendMail(ctx, mailer, mail)));
}

async function sendMail(ctx: SystemContext, mailer: Pick<Mailer, 'send'>, mail: OutgoingMail): Promise<void> {
  const { id, to, subject, text } = mail;
  try {
    await mailer.send({ to, subject, text });
  } catch (error) {
    const failures = mail.failures + 1;
    ctx.log.warn({ reason: driverErrorMessage(error), failures }, 'mail not accepted');
    if (failures < MAX_FAILURES) {
      const dueAt = new Date(ctx.clock.now().getTime() + backoffDelay(failures, retryDelays));
      await ctx.db.outgoingMail.updateMany({ where: { id }, data: { failures, dueAt } });
      return;
    }
  }
  await ctx.db.outgoingMail.deleteMany({ where: { id } });
}
