import { backoffDelay } from '@/lib/core/backoff';
import { minuteMs } from '@/lib/core/units';
import type { InTransaction, SystemContext } from '@/lib/domain/context';
import type { OutgoingMail } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import type { Mail, Mailer } from '@/lib/infra/mail/mailer';
import { reasonOf } from '@/lib/infra/queue/queue';

/** Mails of one sweep; the next one takes the rest. */
const batch = 20;
/** Longer than the mail server may take to answer (lib/infra/mail/mailer.ts). */
const leaseMs = 2 * minuteMs;
const retryMs = { first: minuteMs, max: 30 * minuteMs };
/** About two hours. A mail about a live stream is of no use later. */
const maxFailures = 8;

/** Mails that are sent once the transaction is committed. */
export async function addMails(tx: InTransaction<SystemContext>, mails: readonly Mail[]): Promise<void> {
  const dueAt = tx.clock.now();
  await tx.db.outgoingMail.createMany({ data: mails.map((mail) => ({ ...mail, id: newId(), dueAt })) });
}

/**
 * Sends the mails that are due. A mail that the server does not accept is tried again, later each time; one whose process
 * is killed meanwhile is sent again.
 */
export async function sendDueMails(ctx: SystemContext, mailer: Pick<Mailer, 'send'>): Promise<void> {
  const mails = await ctx.db.$queryRaw<OutgoingMail[]>`
    update "OutgoingMail" set "dueAt" = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    where "id" in (
      select "id" from "OutgoingMail" where "dueAt" <= clock_timestamp()
      order by "dueAt" limit ${batch} for update skip locked)
    returning *`;
  await Promise.all(mails.map((mail) => sendMail(ctx, mailer, mail)));
}

async function sendMail(ctx: SystemContext, mailer: Pick<Mailer, 'send'>, mail: OutgoingMail): Promise<void> {
  const { id, to, subject, text } = mail;
  try {
    await mailer.send({ to, subject, text });
  } catch (error) {
    const failures = mail.failures + 1;
    ctx.log.warn({ reason: reasonOf(error), failures }, 'mail not accepted');
    if (failures < maxFailures) {
      const dueAt = new Date(ctx.clock.now().getTime() + backoffDelay(failures, retryMs));
      await ctx.db.outgoingMail.updateMany({ where: { id }, data: { failures, dueAt } });
      return;
    }
  }
  await ctx.db.outgoingMail.deleteMany({ where: { id } });
}
