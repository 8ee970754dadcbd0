import { findPosters } from '@/lib/domain/assets';
import type { Context } from '@/lib/domain/context';
import { playableStates } from '@/lib/domain/sessions';

/** A recording in the list on the watch page of its stream. */
export interface ShownRecording {
  /** Playback id of the recording. */
  readonly id: string;
  readonly name: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Duration in seconds. */
  readonly duration: number;
  /** URL of a picture; null if there is none, or if a playback policy restricts who may see it. */
  readonly poster: string | null;
}

/** Maximum number of recordings on a watch page. */
const MAX_RECORDINGS = 12;

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
    take: MAX_RECORDINGS,
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
