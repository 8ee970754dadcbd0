import type { AccountContext, SystemContext } from '@/lib/context';
import {
  deletedRecordingState,
  nextRecordingState,
  recordingStatesBefore,
  type RecordingEvent,
} from '@/lib/core/recordings/recording-state';
import type { Prisma, Session } from '@/lib/generated/prisma/client';

/** A change of a recording that emits an event. */
export interface RecordingNews {
  readonly name: 'recording.started' | 'recording.waiting' | 'recording.ready';
  /** As it is now. */
  readonly session: Session;
}

/**
 * Takes the recording of a session one step further, conditional on where it was.
 * @returns the session as it is now, and the event to emit; null if the step was not possible (anymore)
 */
export async function stepRecording(
  ctx: SystemContext | AccountContext,
  before: Pick<Session, 'id' | 'recording'>,
  event: RecordingEvent,
  data: Omit<Prisma.SessionUpdateManyMutationInput, 'recording'> = {},
): Promise<{ readonly session: Session; readonly news: RecordingNews | null } | null> {
  const next = nextRecordingState(before.recording, event);
  if ('refused' in next) return null;
  const [session] = await ctx.db.session.updateManyAndReturn({
    where: { id: before.id, recording: before.recording },
    data: { ...data, recording: next.state },
  });
  if (!session) return null;
  return { session, news: next.emits && { name: next.emits, session } };
}

/**
 * The stream became active, or idle: so did the recording of its session, if it has one. Call it before the session is
 * parked. @returns what to tell of it
 */
export async function followStream(
  ctx: SystemContext,
  streamId: string,
  event: 'playable' | 'idle',
): Promise<RecordingNews | null> {
  const session = await ctx.db.session.findFirst({
    where: {
      parentId: streamId,
      record: true,
      state: 'live',
      recording: { in: recordingStatesBefore(event) },
    },
    orderBy: { createdAt: 'desc' },
  });
  return session && ((await stepRecording(ctx, session, event))?.news ?? null);
}

/** Says on the session why not everything is recorded; null when all is well again with what follows. */
export async function reportRecordingTrouble(
  ctx: SystemContext,
  { sessionId, reason }: { readonly sessionId: string; readonly reason: string },
): Promise<void> {
  await ctx.db.session.updateMany({ where: { id: sessionId }, data: { recordingError: reason } });
}

/**
 * The stream was deleted, or the asset that was made of the recording: it cannot be played any more, and its bytes are
 * removed soon. One that is still being made is made first.
 */
export async function discardRecordings(
  ctx: SystemContext | AccountContext,
  where: { readonly parentId: string } | { readonly id: string },
): Promise<void> {
  await ctx.db.session.updateMany({
    where: { ...where, recording: { in: recordingStatesBefore('deleted') } },
    data: { recording: deletedRecordingState },
  });
}
