import type { Context } from '@/lib/domain/context';
import { findRecordedSession } from '@/lib/domain/sessions';

/** Playback of the child stream of a session. */
export type ChildPlayback =
  | { readonly kind: 'stream'; readonly playbackId: string }
  | { readonly kind: 'recording'; readonly sessionId: string };

/**
 * The playback of the child stream of a session, by its playback id: the parent stream while its session is live, afterwards
 * the recording of the session.
 * @returns null if there is neither, and for any other id
 */
export async function findChildPlayback(ctx: Context, playbackId: string): Promise<ChildPlayback | null> {
  const child = await ctx.db.stream.findFirst({
    where: { playbackId, parentId: { not: null }, deletedAt: null, team: { suspended: false } },
    select: { id: true, isActive: true, parent: { select: { playbackId: true } } },
  });
  if (!child) return null;
  if (child.isActive && child.parent) return { kind: 'stream', playbackId: child.parent.playbackId };
  // A session and its child stream share their id.
  const session = await findRecordedSession(ctx, child.id);
  return session && { kind: 'recording', sessionId: session.id };
}
