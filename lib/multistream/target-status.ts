import type { SystemContext } from '@/lib/context';
import {
  nextTargetState,
  targetNews,
  targetStatesBefore,
  type TargetEventName,
  type TargetState,
  type TargetTold,
} from '@/lib/core/targets/target-state';
import type { TargetStatus } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';

type Tx = SystemContext & { readonly db: Transaction };

export interface TargetFact {
  readonly state: TargetState;
  /** Why it failed, without secrets. */
  readonly error?: string;
  /** Bits per second. */
  readonly bitrate?: number;
}

export type StatusKey = Pick<TargetStatus, 'streamId' | 'targetId' | 'profile'>;

/** What the change of a status is worth an event for. */
export interface TargetNews extends StatusKey {
  readonly name: TargetEventName;
  /** The reason of an error, without secrets. */
  readonly error: string | null;
}

/**
 * Writes what is now known of a target, in the caller's transaction, which holds the lock of the stream's row: reports
 * of one stream take turns.
 * @param active receivers know of the stream: what happened at its targets before `stream.started` is told behind it
 * @returns the event that it is worth, for the caller to tell in the same transaction
 */
export async function writeTargetStatus(
  tx: Tx,
  key: StatusKey,
  fact: TargetFact,
  active: boolean,
): Promise<TargetNews | null> {
  const row = await tx.db.targetStatus.findUnique({ where: { streamId_targetId_profile: key } });
  const news = await write(tx, key, row, fact, active);
  if (fact.state === 'disconnected') await forgetUnreferenced(tx, key.streamId);
  return news;
}

/** What the targets of a stream came to before it was active: told now, in the caller's transaction. */
export async function openTargetNews(tx: Tx, streamId: string): Promise<TargetNews[]> {
  const rows = await tx.db.targetStatus.findMany({
    where: { streamId, state: { in: ['connected', 'error'] satisfies TargetState[] } },
    orderBy: [{ targetId: 'asc' }, { profile: 'asc' }],
  });
  return writeAll(tx, rows, ({ state, bitrate }) => ({ state, bitrate }));
}

/** The publish is over, so nothing is pushed anymore, whatever the live process reported. */
export async function stopTargetStatuses(tx: Tx, streamId: string): Promise<TargetNews[]> {
  const rows = await tx.db.targetStatus.findMany({
    where: { streamId, state: { in: targetStatesBefore('stopped') } },
    orderBy: [{ targetId: 'asc' }, { profile: 'asc' }],
  });
  const news = await writeAll(tx, rows, (row) => {
    const state = nextTargetState(row.state, 'stopped');
    return state && { state };
  });
  if (rows.length > 0) await forgetUnreferenced(tx, streamId);
  return news;
}

/**
 * The usual case, without the stream's lock: still connected, and receivers know it.
 * @param nodeId the live node that reports; the stream must still be there
 * @returns false when it is not the usual case
 */
export async function refreshTargetStatus(
  { db }: SystemContext,
  { streamId, targetId, profile }: StatusKey,
  { nodeId, bitrate }: { readonly nodeId: string; readonly bitrate: number },
): Promise<boolean> {
  const { count } = await db.targetStatus.updateMany({
    where: {
      ...{ streamId, targetId, profile, state: 'connected', told: 'multistream.connected' },
      stream: { liveNodeId: nodeId },
    },
    data: { bitrate: Math.round(bitrate) },
  });
  return count > 0;
}

/** Removes the status of a removed reference once its end was reported. */
async function forgetUnreferenced({ db }: Tx, streamId: string): Promise<void> {
  await db.$executeRaw`
    delete from "TargetStatus" as s where s."streamId" = ${streamId}::uuid and s."state" = 'disconnected'
      and not exists (select 1 from "StreamTarget" as t
        where t."streamId" = s."streamId" and t."targetId" = s."targetId" and t."profile" = s."profile")`;
}

async function writeAll(
  tx: Tx,
  rows: readonly TargetStatus[],
  factOf: (row: TargetStatus) => TargetFact | null,
): Promise<TargetNews[]> {
  const news: TargetNews[] = [];
  for (const row of rows) {
    const { streamId, targetId, profile } = row;
    const fact = factOf(row);
    const one = fact && (await write(tx, { streamId, targetId, profile }, row, fact, true));
    if (one) news.push(one);
  }
  return news;
}

async function write(
  tx: Tx,
  key: StatusKey,
  row: TargetStatus | null,
  fact: TargetFact,
  active: boolean,
): Promise<TargetNews | null> {
  const now = tx.clock.now();
  const known = toldOf(row);
  const { event: name, told: nowTold } = active
    ? targetNews(fact.state, known, now.getTime())
    : { event: null, told: known };
  const data = {
    state: fact.state,
    since: row?.state === fact.state ? row.since : now,
    bitrate: Math.round(fact.bitrate ?? 0),
    ...(fact.error === undefined ? {} : { error: fact.error, errorAt: now }),
    told: nowTold.event,
    connectedTold: nowTold.connected,
    errorToldAt: nowTold.errorAt === null ? null : new Date(nowTold.errorAt),
  };
  await tx.db.targetStatus.upsert({
    where: { streamId_targetId_profile: key },
    create: { ...key, ...data },
    update: data,
  });
  return name && { ...key, name, error: fact.error ?? row?.error ?? null };
}

function toldOf(row: TargetStatus | null): TargetTold {
  const event = (row?.told ?? null) as TargetEventName | null;
  // Rows that were written before `connectedTold` was kept say it by their last event.
  const connected = row?.connectedTold === true || event === 'multistream.connected';
  return { event, connected, errorAt: row?.errorToldAt?.getTime() ?? null };
}
