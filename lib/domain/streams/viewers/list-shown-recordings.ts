import { findPosters } from '@/lib/domain/assets';
import type { Context } from '@/lib/domain/context';
import { playableStates } from '@/lib/domain/sessions';

/** A recording as the watch page of its stream lists it. */
export interface ShownRecording {
  /** Playback id of the recording. */
  readonly id: string;
  readonly name: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Seconds. */
  readonly duration: number;
  /** Address of a picture; null while there is none, and where viewers need access. */
  readonly poster: string | null;
}

/** A page shows this many. */
const mostRecordings = 12;

/**
 * The newest recordings of the stream with this playback id, newest first. Empty unless the team shows them on the
 * watch page (`showRecordings`).
 */
export async function listShownRecordings(ctx: Context, playbackId: string): Promise<ShownRecording[]> {
  const sessions = await ctx.db.session.findMany({
    where: {
      recording: { in: playableStates },
      state: 'ended',
      team: { suspended: false },
      parent: { playbackId, deletedAt: null, suspended: false, showRecordings: true },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: mostRecordings,
    select: { id: true, teamId: true, name: true, createdAt: true, sourceSegmentsDuration: true },
  });
  const posters = await findPosters(ctx, sessions);
  return sessions.map(({ id, name, createdAt, sourceSegmentsDuration }) => ({
    id,
    name,
    startedAt: createdAt.getTime(),
    duration: sourceSegmentsDuration,
    poster: posters.get(id) ?? null,
  }));
}
