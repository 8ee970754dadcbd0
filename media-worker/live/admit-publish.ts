import { setTimeout as delay } from 'node:timers/promises';
import type { SystemContext } from '@/lib/context';
import { alreadyLive, rejectionOf, type Rejection } from '@/lib/core/streams/publish-admission';
import { findStreamOfKey, recordRejection } from '@/lib/streams';
import type { LiveSessions } from './live-sessions';
import type { Admission, AdmitPublish, PublisherConnection } from '@/media-worker/media/publish';

/** A publisher waits this long during a database outage. */
const timeoutMs = 4_500;
const retryMs = 250;
/** Rejections that are being written at the same time; more are in the log only. */
const maxWriting = 32;

/** Checks a publish against the database: the key is known, publishing is allowed, and no one else publishes. */
export function createAdmitPublish(ctx: SystemContext, sessions: LiveSessions): AdmitPublish {
  let writing = 0;
  /** The encoder does not wait for it, because the response time would reveal information about the key. */
  const reject = (streamId: string, rejection: Rejection, { ip }: PublisherConnection): Admission => {
    ctx.log.info({ streamId, ip, reason: rejection.reason }, 'publish rejected');
    if (writing >= maxWriting) return 'refused';
    writing += 1;
    void recordRejection(ctx, { streamId, address: ip, ...rejection })
      .catch((error: unknown) => ctx.log.warn({ err: error, streamId }, 'publish rejection not written'))
      .finally(() => (writing -= 1));
    return 'refused';
  };

  const attempt = async (streamKey: string, connection: PublisherConnection): Promise<Admission> => {
    let found = await findStreamOfKey(ctx, streamKey);
    if (found?.refusal === null) {
      const { streamId } = found;
      const sink = await sessions.admit(streamId, connection, streamKey);
      if (sink === 'taken') return reject(streamId, alreadyLive, connection);
      if (sink) return sink;
      // It was suspended or got a new key meanwhile; otherwise another node has it.
      found = await findStreamOfKey(ctx, streamKey);
    }
    if (!found) return null;
    const rejection = found.refusal === null ? alreadyLive : rejectionOf(found.refusal);
    return rejection && reject(found.streamId, rejection, connection);
  };

  return async ({ streamKey }, connection) => {
    const until = ctx.clock.monotonic() + timeoutMs;
    for (;;) {
      try {
        return await attempt(streamKey, connection);
      } catch (error) {
        if (ctx.clock.monotonic() + retryMs > until) throw error;
        await delay(retryMs);
      }
    }
  };
}
