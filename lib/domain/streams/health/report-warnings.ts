import type { Stream } from '@/lib/generated/prisma/client';
import { isHint } from '@/lib/core/streams/stream-doctor';
import {
  MIN_MAIL_INTERVAL_MS,
  createRecoveryMail,
  NOTIFY_AFTER_MS,
  createWarningMail,
} from '@/lib/core/streams/stream-warning';
import { transact, type InTransaction, type SystemContext } from '@/lib/domain/context';
import { addMails } from '@/lib/domain/mail';
import { emitEvent } from '@/lib/domain/webhooks';
import { readStreamEventFields } from '@/lib/domain/streams/stream-event-fields';

/** Maximum mails per warning. */
const MAX_MAILS = 100;
/** Streams per sweep; the next sweep continues. */
const BATCH_SIZE = 100;

/**
 * Emits `stream.warning` for live streams with persistent problems, and `stream.recovered` once they have been healthy for
 * the same period. Mails the members who enabled stream mails. Several nodes may run this concurrently.
 */
export async function reportWarnings(ctx: SystemContext): Promise<void> {
  const changes = await ctx.db.$queryRaw<Pick<Stream, 'id' | 'isHealthy' | 'healthChangedAt' | 'warnedAt'>[]>`
    select "id", "isHealthy", "healthChangedAt", "warnedAt" from "Stream"
    where "liveNodeId" is not null and "isActive" and "deletedAt" is null and "parentId" is null
      and "isHealthy" = ("warnedAt" is not null)
      and "healthChangedAt" < clock_timestamp() - ${NOTIFY_AFTER_MS} * interval '1 millisecond'
    order by "healthChangedAt" limit ${BATCH_SIZE}`;
  for (const { warnedAt, ...steady } of changes) {
    await transact(ctx, async (tx) => {
      // The update repeats the conditions of the search, so that only one of two concurrent sweeps changes the row.
      const [stream] = await tx.db.stream.updateManyAndReturn({
        where: { ...steady, warnedAt, isActive: true, deletedAt: null },
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
  if (mailedAt && mailedAt >= warnedAt) {
    await mailMembers(tx, stream.teamId, createRecoveryMail(stream, tx.settings.baseUrl));
  }
}

/**
 * Mails members with a confirmed address. Anyone can sign up with the address of another person, so other addresses are
 * skipped.
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
    take: MAX_MAILS,
  });
  await addMails(
    tx,
    members.map(({ account }) => ({ ...mail, to: account.email })),
  );
}
