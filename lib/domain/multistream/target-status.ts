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

/** State of a target that a live process reports. */
export interface TargetStatusReport {
  readonly state: TargetState;
  /** Reason of the failure, without secrets. */
  readonly error?: string;
  /** Bits per second. */
  readonly bitrate?: number;
}

/** Primary key of a status: a target may be referred to once per rendition. */
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
 * @param isStreamActive whether `stream.started` was written; target events come after it
 * @returns the event to emit in the same transaction
 */
export async function writeTargetStatus(
  tx: InTransaction<SystemContext>,
  key: StatusKey,
  report: TargetStatusReport,
  isStreamActive: boolean,
): Promise<TargetStatusEvent | null> {
  const row = await tx.db.targetStatus.findUnique({ where: { streamId_targetId_profile: key } });
  const event = await writeStatus(tx, key, row, report, isStreamActive);
  if (report.state === 'disconnected') await deleteUnreferenced(tx, key.streamId);
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
  reportOf: (row: TargetStatus) => TargetStatusReport | null,
): Promise<TargetStatusEvent[]> {
  const events: TargetStatusEvent[] = [];
  for (const row of rows) {
    const { streamId, targetId, profile } = row;
    const report = reportOf(row);
    const event = report && (await writeStatus(tx, { streamId, targetId, profile }, row, report, true));
    if (event) events.push(event);
  }
  return events;
}

async function writeStatus(
  tx: InTransaction<SystemContext>,
  key: StatusKey,
  row: TargetStatus | null,
  report: TargetStatusReport,
  isStreamActive: boolean,
): Promise<TargetStatusEvent | null> {
  const now = tx.clock.now();
  const previouslyEmitted = emittedEventOf(row);
  const { event: name, reported: emitted } = isStreamActive
    ? decideTargetEvent(report.state, previouslyEmitted, now.getTime())
    : { event: null, reported: previouslyEmitted };
  const data = {
    state: report.state,
    since: row && isSameCondition(row.state, report.state) ? row.since : now,
    bitrate: Math.round(report.bitrate ?? 0),
    ...(report.error === undefined ? {} : { error: report.error, errorAt: now }),
    reportedEvent: emitted.event,
    connectionReported: emitted.connected,
    errorReportedAt: emitted.errorAt === null ? null : new Date(emitted.errorAt),
  };
  await tx.db.targetStatus.upsert({
    where: { streamId_targetId_profile: key },
    create: { ...key, ...data },
    update: data,
  });
  return name && { ...key, name, error: report.error ?? row?.error ?? null };
}

/** The last event that was emitted about a target, by which repeated events are avoided. */
function emittedEventOf(row: TargetStatus | null): ReportedTarget {
  const event = (row?.reportedEvent ?? null) as TargetEventName | null;
  // Rows that are older than the column `connectionReported` derive it from their last event.
  const isConnected = row?.connectionReported === true || event === 'multistream.connected';
  return { event, connected: isConnected, errorAt: row?.errorReportedAt?.getTime() ?? null };
}
