import { setTimeout as delay } from 'node:timers/promises';
import type { SystemContext } from '@/lib/context';
import { alreadyLive, rejectionOf, type Rejection } from '@/lib/core/streams/publish-admission';
import { findStreamOfKey, recordRejection, withdrawTestPattern } from '@/lib/streams';
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
  const write = (streamId: string, fact: () => Promise<unknown>): void => {
    if (writing >= maxWriting) return;
    writing += 1;
    void fact()
      .catch((error: unknown) => ctx.log.warn({ err: error, streamId }, 'publish rejection not written'))
      .finally(() => (writing -= 1));
  };
  /** The encoder does not wait for it, because the response time would reveal information about the key. */
  const reject = (streamId: string, rejection: Rejection, connection: PublisherConnection): Admission => {
    const { ip, source } = connection;
    ctx.log.info({ streamId, ip, source, reason: rejection.reason }, 'publish rejected');
    if (source === 'encoder')
      write(streamId, () => recordRejection(ctx, { streamId, address: ip, ...rejection }));
    else if (sessions.byStream(streamId)?.publisher?.source === 'encoder')
      write(streamId, () => withdrawTestPattern(ctx, streamId));
    return 'refused';
  };

  const attempt = async (
    streamKey: string,
    connection: PublisherConnection,
    waits: boolean,
  ): Promise<Admission | 'later'> => {
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
    const { streamId, refusal } = found;
    if (refusal === null) {
      // The test pattern of another node ends within seconds.
      const ends = connection.source === 'encoder' && (waits || (await withdrawTestPattern(ctx, streamId)));
      return ends ? 'later' : reject(streamId, alreadyLive, connection);
    }
    const rejection = rejectionOf(refusal);
    return rejection && reject(streamId, rejection, connection);
  };

  return async ({ streamKey }, connection) => {
    const until = ctx.clock.monotonic() + timeoutMs;
    let later = false;
    for (;;) {
      const last = ctx.clock.monotonic() + retryMs > until;
      try {
        const admission = await attempt(streamKey, connection, later && !last);
        if (admission !== 'later') return admission;
        later = true;
      } catch (error) {
        if (last) throw error;
      }
      await delay(retryMs);
    }
  };
}
