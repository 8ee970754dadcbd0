import type { SystemContext, InTransaction } from '@/lib/domain/context';
import {
  isSameCondition,
  targetMachine,
  decideTargetEvent,
  type TargetEventName,
  type TargetState,
  type ReportedTarget,
} from '@/lib/core/targets/target-state';
import type { TargetStatus } from '@/lib/generated/prisma/client';

export interface TargetStatusReport {
  readonly state: TargetState;
  /** Reason of the failure, without secrets. */
  readonly error?: string;
  /** Bits per second. */
  readonly bitrate?: number;
}

export type StatusKey = Pick<TargetStatus, 'streamId' | 'targetId' | 'profile'>;

/** An event caused by a status change. */
export interface TargetStatusEvent extends StatusKey {
  readonly name: TargetEventName;
  /** Reason of the failure, without secrets. */
  readonly error: string | null;
}

/**
 * Writes the status of a target in the transaction of the caller, which holds the lock of the stream, so that reports of
 * one stream are written one after the other.
 * @param active whether `stream.started` was written; target events come after it
 * @returns the event to emit in the same transaction
 */
export async function writeTargetStatus(
  tx: InTransaction<SystemContext>,
  key: StatusKey,
  fact: TargetStatusReport,
  active: boolean,
): Promise<TargetStatusEvent | null> {
  const row = await tx.db.targetStatus.findUnique({ where: { streamId_targetId_profile: key } });
  const event = await writeStatus(tx, key, row, fact, active);
  if (fact.state === 'disconnected') await deleteUnreferenced(tx, key.streamId);
  return event;
}

/**
 * Writes the target events that were held back until the stream became active.
 * @returns the events to emit in the same transaction
 */
export async function reportHeldTargetEvents(
  tx: InTransaction<SystemContext>,
  streamId: string,
): Promise<TargetStatusEvent[]> {
  const rows = await tx.db.targetStatus.findMany({
    where: { streamId, state: { in: ['connected', 'error'] satisfies TargetState[] } },
    orderBy: [{ targetId: 'asc' }, { profile: 'asc' }],
  });
  return writeStatuses(tx, rows, ({ state, bitrate }) => ({ state, bitrate }));
}

/**
 * Marks the targets of an ended publish as stopped, whatever the live process reported last.
 * @returns the events to emit in the same transaction
 */
export async function stopTargetStatuses(
  tx: InTransaction<SystemContext>,
  streamId: string,
): Promise<TargetStatusEvent[]> {
  const rows = await tx.db.targetStatus.findMany({
    where: { streamId, state: { in: targetMachine.statesBefore('stopped') } },
    orderBy: [{ targetId: 'asc' }, { profile: 'asc' }],
  });
  const events = await writeStatuses(tx, rows, (row) => {
    const state = targetMachine.nextState(row.state, 'stopped');
    return state && { state };
  });
  if (rows.length > 0) await deleteUnreferenced(tx, streamId);
  return events;
}

/**
 * Fast path for a target that is still connected and reported, without the lock of the stream.
 * @param nodeId the reporting live node, which must still hold the stream
 * @returns false if the fast path does not apply
 */
export async function refreshTargetStatus(
  { db }: SystemContext,
  { streamId, targetId, profile }: StatusKey,
  { nodeId, bitrate }: { readonly nodeId: string; readonly bitrate: number },
): Promise<boolean> {
  const { count } = await db.targetStatus.updateMany({
    where: {
      streamId,
      targetId,
      profile,
      state: 'connected',
      reportedEvent: 'multistream.connected',
      stream: { liveNodeId: nodeId },
    },
    data: { bitrate: Math.round(bitrate) },
  });
  return count > 0;
}

/** Deletes the status of removed references that are disconnected. */
async function deleteUnreferenced({ db }: InTransaction<SystemContext>, streamId: string): Promise<void> {
  await db.$executeRaw`
    delete from "TargetStatus" as s where s."streamId" = ${streamId}::uuid and s."state" = 'disconnected'
      and not exists (select 1 from "StreamTarget" as t
        where t."streamId" = s."streamId" and t."targetId" = s."targetId" and t."profile" = s."profile")`;
}

async function writeStatuses(
  tx: InTransaction<SystemContext>,
  rows: readonly TargetStatus[],
  factOf: (row: TargetStatus) => TargetStatusReport | null,
): Promise<TargetStatusEvent[]> {
  const events: TargetStatusEvent[] = [];
  for (const row of rows) {
    const { streamId, targetId, profile } = row;
    const fact = factOf(row);
    const event = fact && (await writeStatus(tx, { streamId, targetId, profile }, row, fact, true));
    if (event) events.push(event);
  }
  return events;
}

async function writeStatus(
  tx: InTransaction<SystemContext>,
  key: StatusKey,
  row: TargetStatus | null,
  fact: TargetStatusReport,
  active: boolean,
): Promise<TargetStatusEvent | null> {
  const now = tx.clock.now();
  const lastReport = lastReportOf(row);
  const { event: name, reported: nowReported } = active
    ? decideTargetEvent(fact.state, lastReport, now.getTime())
    : { event: null, reported: lastReport };
  const data = {
    state: fact.state,
    since: row && isSameCondition(row.state, fact.state) ? row.since : now,
    bitrate: Math.round(fact.bitrate ?? 0),
    ...(fact.error === undefined ? {} : { error: fact.error, errorAt: now }),
    reportedEvent: nowReported.event,
    connectionReported: nowReported.connected,
    errorReportedAt: nowReported.errorAt === null ? null : new Date(nowReported.errorAt),
  };
  await tx.db.targetStatus.upsert({
    where: { streamId_targetId_profile: key },
    create: { ...key, ...data },
    update: data,
  });
  return name && { ...key, name, error: fact.error ?? row?.error ?? null };
}

function lastReportOf(row: TargetStatus | null): ReportedTarget {
  const event = (row?.reportedEvent ?? null) as TargetEventName | null;
  // Rows that are older than the column `connectionReported` derive it from their last event.
  const isConnected = row?.connectionReported === true || event === 'multistream.connected';
  return { event, connected: isConnected, errorAt: row?.errorReportedAt?.getTime() ?? null };
}
