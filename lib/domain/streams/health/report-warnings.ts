import type { Stream } from '@/lib/generated/prisma/client';
import { isHint } from '@/lib/core/streams/stream-doctor';
import {
  MIN_MAIL_INTERVAL_MS,
  createRecoveryMail,
  NOTIFY_AFTER_MS,
  createWarningMail,
} from '@/lib/core/streams/stream-warning';
import { transact, type InTransaction, type SystemContext } from '@/lib/domain/context';
import { enqueueMails } from '@/lib/domain/mail';
import { emitEvent } from '@/lib/domain/webhooks';
import { readStreamEventFields } from '@/lib/domain/streams/stream-event-fields';

/** Maximum number of members who get a mail about one warning or recovery; further members get none. */
const MAX_RECIPIENTS = 100;
/** Streams per sweep; the next sweep continues. */
const BATCH_SIZE = 100;

/**
 * Emits `stream.warning` for live streams that have had problems for `NOTIFY_AFTER_MS`, and `stream.recovered` once they have
 * been healthy for the same time. Mails the members who enabled stream mails. Several nodes may run this concurrently.
 */
export async function reportWarnings(ctx: SystemContext): Promise<void> {
  // A change is due if health and warning disagree: healthy and warned (recovery), or neither (warning).
  const dueChanges = await ctx.db.$queryRaw<
    Pick<Stream, 'id' | 'isHealthy' | 'healthChangedAt' | 'warnedAt'>[]
  >`
    select "id", "isHealthy", "healthChangedAt", "warnedAt" from "Stream"
    where "liveNodeId" is not null and "isActive" and "deletedAt" is null and "parentId" is null
      and "isHealthy" = ("warnedAt" is not null)
      and "healthChangedAt" < clock_timestamp() - ${NOTIFY_AFTER_MS} * interval '1 millisecond'
    order by "healthChangedAt" limit ${BATCH_SIZE}`;
  for (const { warnedAt, ...foundColumns } of dueChanges) {
    await transact(ctx, async (tx) => {
      // Finds no row if health or warning changed since the search, for example by a concurrent sweep.
      const [stream] = await tx.db.stream.updateManyAndReturn({
        where: { ...foundColumns, warnedAt, isActive: true, deletedAt: null },
        data: { warnedAt: warnedAt ? null : tx.clock.now(), eventSequence: { increment: 1 } },
      });
      if (!stream) return;
      await (warnedAt ? reportRecovery(tx, stream, warnedAt) : reportWarning(tx, stream));
    });
  }
}

async function reportWarning(tx: InTransaction<SystemContext>, stream: Stream): Promise<void> {
  const issues = stream.issues.filter((issue) => !isHint(issue));
  await emitEvent(tx, {
    name: 'stream.warning',
    ...(await readStreamEventFields(tx, stream)),
    payload: { issues },
  });
  const now = tx.clock.now();
  if (stream.warningMailedAt && now.getTime() - stream.warningMailedAt.getTime() < MIN_MAIL_INTERVAL_MS)
    return;
  await mailMembers(tx, stream.teamId, createWarningMail({ ...stream, issues }, tx.settings.baseUrl));
  await tx.db.stream.update({ where: { id: stream.id }, data: { warningMailedAt: now } });
}

async function reportRecovery(
  tx: InTransaction<SystemContext>,
  stream: Stream,
  warnedAt: Date,
): Promise<void> {
  await emitEvent(tx, { name: 'stream.recovered', ...(await readStreamEventFields(tx, stream)) });
  const mailedAt = stream.warningMailedAt;
  // Only if the warning was mailed: MIN_MAIL_INTERVAL_MS may have suppressed it.
  if (mailedAt && mailedAt >= warnedAt) {
    await mailMembers(tx, stream.teamId, createRecoveryMail(stream, tx.settings.baseUrl));
  }
}

/**
 * Mails members with a confirmed address. Anyone can sign up with the address of another person, so unconfirmed addresses
 * get no mail.
 */
async function mailMembers(
  tx: InTransaction<SystemContext>,
  teamId: string,
  mail: { readonly subject: string; readonly text: string },
): Promise<void> {
  if (!tx.settings.mail) return;
  const members = await tx.db.teamMember.findMany({
    where: {
      teamId,
      streamMails: true,
      account: { emailProvenAt: { not: null }, suspended: false, deletedAt: null },
    },
    select: { account: { select: { email: true } } },
    take: MAX_RECIPIENTS,
  });
  await enqueueMails(
    tx,
    members.map(({ account }) => ({ ...mail, to: account.email })),
  );
}
