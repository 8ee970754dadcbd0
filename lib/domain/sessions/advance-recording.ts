import { deleteAudience } from '@/lib/domain/audience';
import type { InTransaction, TeamContext, SystemContext } from '@/lib/domain/context';
import { recordingMachine, type RecordingEvent } from '@/lib/core/sessions/recording-state';
import type { Asset, Prisma, Session } from '@/lib/generated/prisma/client';

/** A change of a recording that emits an event. */
export interface RecordingChange {
  readonly eventName: 'recording.started' | 'recording.waiting' | 'recording.ready';
  /** Session row after the change. */
  readonly session: Session;
}

/**
 * Emits the event of a recording change, in the transaction that makes the change. The event contains the stream. This
 * module must not import the streams domain, so callers inject its emit function
 * (docs/adr/0109-one-domain-for-sessions-and-recordings.md).
 * @param asset the asset created from the recording
 */
export type EmitRecordingEvent = (
  tx: InTransaction<SystemContext>,
  change: RecordingChange | null,
  asset?: Pick<Asset, 'id' | 'playbackId'>,
) => Promise<void>;

/**
 * Advances the recording of a session, conditional on its previous state.
 * @param data further columns to update
 * @param conditions further conditions on the session
 * @returns the updated session and the event to emit; null if the state does not allow the transition, or if another process
 * changed the session first
 */
export async function advanceRecording(
  ctx: SystemContext | TeamContext,
  previousSession: Pick<Session, 'id' | 'recording'>,
  transition: RecordingEvent,
  data: Omit<Prisma.SessionUpdateManyMutationInput, 'recording'> = {},
  conditions: Omit<Prisma.SessionWhereInput, 'id' | 'recording'> = {},
): Promise<{ readonly session: Session; readonly change: RecordingChange | null } | null> {
  const nextState = recordingMachine.nextState(previousSession.recording, transition);
  if (nextState === null) return null;
  const [session] = await ctx.db.session.updateManyAndReturn({
    where: { ...conditions, id: previousSession.id, recording: previousSession.recording },
    data: { ...data, recording: nextState },
  });
  if (!session) return null;
  const eventName = recordingMachine.emittedEvent(previousSession.recording, transition);
  return { session, change: eventName && { eventName, session } };
}

/** Ends the recording of an ended session, or its DVR storage (`transient`). */
export async function endRecording(
  ctx: SystemContext,
  session: Pick<Session, 'id' | 'record' | 'recording'>,
): Promise<void> {
  if (session.record || session.recording === 'transient') await advanceRecording(ctx, session, 'ended');
}

/**
 * Starts or pauses the recording of a session when its stream becomes active or idle. Must be called before
 * `startReconnectWindow`, after which the session is no longer found, because its state is not `live`.
 * @returns the event to emit; null if there is none
 */
export async function startOrPauseRecording(
  ctx: SystemContext,
  streamId: string,
  transition: 'playable' | 'idle',
): Promise<RecordingChange | null> {
  const session = await ctx.db.session.findFirst({
    where: {
      parentId: streamId,
      record: true,
      state: 'live',
      recording: { in: recordingMachine.statesBefore(transition) },
    },
    orderBy: { createdAt: 'desc' },
  });
  return session && ((await advanceRecording(ctx, session, transition))?.change ?? null);
}

/** Stores the reason why the recording is incomplete. */
export async function storeRecordingError(
  ctx: SystemContext,
  { sessionId, reason }: { readonly sessionId: string; readonly reason: string },
): Promise<void> {
  await ctx.db.session.updateMany({ where: { id: sessionId }, data: { recordingError: reason } });
}

/**
 * Marks the recordings of a deleted stream or asset as deleted: they can no longer be played, and the sweep
 * `deleteRecordings` deletes their files. A recording that is being made is finished first.
 */
export async function markRecordingsDeleted(
  ctx: SystemContext | TeamContext,
  where: { readonly parentId: string } | { readonly id: string },
): Promise<void> {
  const sessions = await ctx.db.session.updateManyAndReturn({
    where: { ...where, recording: { in: recordingMachine.statesBefore('deleted') } },
    data: { recording: recordingMachine.stateAfter('deleted') },
    select: { id: true },
  });
  await deleteAudience(
    ctx,
    sessions.map(({ id }) => id),
  );
}
