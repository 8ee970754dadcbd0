import type { Context } from '@/lib/context';
import { isUuid } from '@/lib/infra/ids';

/** The session with this id, if viewers may fetch its recording. The id is the only credential. */
export async function findRecordedSession(
  ctx: Context,
  sessionId: string,
): Promise<{ readonly id: string; readonly name: string } | null> {
  if (!isUuid(sessionId)) return null;
  return ctx.db.session.findFirst({
    where: {
      id: sessionId,
      recording: 'ready',
      account: { suspended: false },
      parent: { deletedAt: null },
    },
    select: { id: true, name: true },
  });
}
