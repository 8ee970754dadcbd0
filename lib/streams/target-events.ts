import type { SystemContext } from '@/lib/context';
import { targetNews, type TargetEventName, type TargetState, type TargetTold } from '@/lib/core/target-state';
import type { TargetStatus } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import { emitEvent } from '@/lib/webhooks';
import { aboutStream } from './about-stream';

type Tx = SystemContext & { readonly db: Transaction };

export interface TargetFact {
  readonly state: TargetState;
  /** Why it failed, without secrets. */
  readonly error?: string;
  /** Bits per second. */
  readonly bitrate?: number;
}

export type StatusKey = Pick<TargetStatus, 'streamId' | 'targetId' | 'profile'>;

/**
 * Writes what is now known of a target, and the event that it is worth, in the caller's transaction, which holds the
 * lock of the stream's row: reports of one stream take turns.
 * @param row the status as it is; null when there is none
 * @param active receivers know of the stream: what happened at its targets before `stream.started` is told behind it
 */
export async function writeStatus(
  tx: Tx,
  key: StatusKey,
  row: TargetStatus | null,
  fact: TargetFact,
  active: boolean,
): Promise<void> {
  const now = tx.clock.now();
  const known = toldOf(row);
  const { event: news, told } = active
    ? targetNews(fact.state, known, now.getTime())
    : { event: null, told: known };
  const data = {
    state: fact.state,
    since: row?.state === fact.state ? row.since : now,
    bitrate: Math.round(fact.bitrate ?? 0),
    ...(fact.error === undefined ? {} : { error: fact.error, errorAt: now }),
    told: told.event,
    connectedTold: told.connected,
    errorToldAt: told.errorAt === null ? null : new Date(told.errorAt),
  };
  await tx.db.targetStatus.upsert({
    where: { streamId_targetId_profile: key },
    create: { ...key, ...data },
    update: data,
  });
  if (news) await tell(tx, key, news, fact.error ?? row?.error ?? null);
}

/** The stream became active: what its targets came to before that is told now, in the caller's transaction. */
export async function emitTargetEvents(tx: Tx, streamId: string): Promise<void> {
  const rows = await tx.db.targetStatus.findMany({
    where: { streamId, state: { in: ['connected', 'error'] satisfies TargetState[] } },
    orderBy: [{ targetId: 'asc' }, { profile: 'asc' }],
  });
  for (const row of rows) {
    const { targetId, profile, bitrate } = row;
    await writeStatus(tx, { streamId, targetId, profile }, row, { state: row.state, bitrate }, true);
  }
}

async function tell(tx: Tx, key: StatusKey, name: TargetEventName, error: string | null): Promise<void> {
  const { id, name: targetName } = await tx.db.multistreamTarget.findUniqueOrThrow({
    where: { id: key.targetId },
    select: { id: true, name: true },
  });
  const stream = await tx.db.stream.update({
    where: { id: key.streamId },
    data: { eventSequence: { increment: 1 } },
  });
  const target = { id, name: targetName, profile: key.profile };
  const reason = name === 'multistream.error' && error !== null ? { error } : {};
  await emitEvent(tx, { name, ...(await aboutStream(tx, stream)), payload: { target, ...reason } });
}

function toldOf(row: TargetStatus | null): TargetTold {
  const event = (row?.told ?? null) as TargetEventName | null;
  // Rows that were written before `connectedTold` was kept say it by their last event.
  const connected = row?.connectedTold === true || event === 'multistream.connected';
  return { event, connected, errorAt: row?.errorToldAt?.getTime() ?? null };
}
