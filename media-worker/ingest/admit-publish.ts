import { setTimeout as delay } from 'node:timers/promises';
import type { SystemContext } from '@/lib/context';
import { findPublishable } from '@/lib/streams';
import type { LiveSessions } from '../live/live-sessions';
import type { AdmitPublish } from './publish';

/** While the database is away a publisher waits a little; ingest itself gives up after 5 s. */
const patienceMs = 4_500;
const retryMs = 250;

/** Admission against the database: the key opens a stream, the stream may be published to, nobody else is at it. */
export function createAdmitPublish(ctx: SystemContext, sessions: LiveSessions): AdmitPublish {
  return async ({ streamKey }, connection) => {
    const until = ctx.clock.monotonic() + patienceMs;
    for (;;) {
      try {
        const streamId = await findPublishable(ctx, streamKey);
        return streamId === null ? null : await sessions.admit(streamId, connection, streamKey);
      } catch (error) {
        if (ctx.clock.monotonic() + retryMs > until) throw error;
        await delay(retryMs);
      }
    }
  };
}
