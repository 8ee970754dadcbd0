import { setTimeout as delay } from 'node:timers/promises';
import type { SystemContext } from '@/lib/domain/context';
import { deadAfterMs } from '@/lib/core/nodes/node-state';
import {
  alreadyLive,
  nodeDraining,
  rejectionOf,
  type Rejected,
  type Rejection,
} from '@/lib/core/streams/publish-admission';
import { metrics } from '@/lib/infra/metrics/metrics';
import { offerStandby, requestTakeover } from '@/lib/domain/nodes';
import { findHolder, findStreamOfKey, recordRejection, withdrawTestPattern } from '@/lib/domain/streams';
import type { LiveDrain } from '@/media-worker/live/session/live-drain';
import type { LiveSessions } from '@/media-worker/live/session/live-sessions';
import { NearKeys } from './near-keys';
import type {
  Admission,
  AdmitPublish,
  PublishRequest,
  PublisherConnection,
  PublishSink,
} from '@/media-worker/media/packets/publish';
import type { Readmission, RelayedStandby, RelayedStandbys } from './relayed-standby';

/** Maximum time a publisher waits during a database outage. */
const timeoutMs = 4_500;
const retryMs = 250;
/** Maximum number of rejections written at the same time; more are only logged. */
const maxWriting = 32;

const isRejected = (answer: Admission | 'later' | Rejected): answer is Rejected =>
  typeof answer === 'object' && answer !== null && 'rejected' in answer;

/** Asks the node that holds the stream to yield it; null if it does not. */
async function takeOver(
  ctx: SystemContext,
  sessions: LiveSessions,
  connection: PublisherConnection,
  request: { readonly streamId: string; readonly streamKey: string; readonly isBackup?: true },
): Promise<Admission | 'later' | Rejected> {
  // Another node's publisher does not give way to a test pattern.
  if (connection.source !== 'encoder') return null;
  const { streamId, streamKey, isBackup = false } = request;
  const holder = await findHolder(ctx, streamId);
  if (!holder) return 'later';
  const { nodeId, publishNumber: run } = holder;
  const answer = await requestTakeover(ctx, holder, { streamId, run, source: connection.source });
  if (answer !== 'yield') return answer === 'wait' ? 'later' : null;
  ctx.log.info({ streamId, from: nodeId }, 'stream taken over from another node');
  const sink = await sessions.admit(connection, {
    streamId,
    streamKey,
    isBackup,
    yieldedPublish: { nodeId, publishNumber: run },
  });
  return sink ?? 'later';
}

/** The relay of this node's standby encoders to other nodes. */
export interface StandbyRelay {
  readonly standbys: RelayedStandbys;
  /** Address of this node for other nodes. */
  readonly url: string;
}

/** Offers this node's encoders to another node as standby encoders of its publish. */
function relayedStandbys(ctx: SystemContext, sessions: LiveSessions, { standbys, url }: StandbyRelay) {
  const offer = async (
    relay: RelayedStandby,
    { ip }: PublisherConnection,
    { streamId, isBackup }: { readonly streamId: string; readonly isBackup: boolean },
  ): ReturnType<typeof offerStandby> => {
    const holder = await findHolder(ctx, streamId);
    if (!holder) return 'no answer';
    const { publishNumber: run } = holder;
    const at = `${url}/standbys/${relay.id}`;
    const answer = await offerStandby(ctx, holder, { streamId, run, isBackup, ip, url: at });
    if (answer === 'taken') relay.markTaken();
    return answer;
  };
  const readmit = async (
    relay: RelayedStandby,
    connection: PublisherConnection,
    streamKey: string,
  ): Promise<Readmission> => {
    const stream = await findStreamOfKey(ctx, streamKey);
    if (stream?.refusal !== null) return null;
    const request = { ...stream, streamKey };
    const { streamId, isBackup = false } = stream;
    const admission = await sessions.admit(connection, { streamId, streamKey, isBackup });
    const answer = admission === null ? await takeOver(ctx, sessions, connection, request) : admission;
    if (answer === 'later') return 'later';
    if (answer !== null) return typeof answer === 'string' || isRejected(answer) ? null : answer;
    const offerAnswer = await offer(relay, connection, { streamId, isBackup });
    return offerAnswer === 'taken' ? 'relayed' : offerAnswer === 'declined' ? null : 'later';
  };
  return async (
    connection: PublisherConnection,
    request: { readonly streamId: string; readonly streamKey: string; readonly isBackup: boolean },
  ): Promise<PublishSink | null> => {
    const relay = standbys.open({
      connection,
      log: ctx.log.child({ streamId: request.streamId }),
      readmit: (again) => readmit(again, connection, request.streamKey),
      isReaderLost: async () => {
        const holder = await findHolder(ctx, request.streamId);
        return holder === null || holder.unseenMs > deadAfterMs.live;
      },
    });
    if ((await offer(relay, connection, request)) === 'taken') return relay;
    standbys.remove(relay);
    return null;
  };
}

type WriteFact = (streamId: string | undefined, fact: () => Promise<unknown>) => void;

/** Writes rejections to the database, without delaying the encoder. */
function factWriter({ log }: SystemContext): WriteFact {
  let writing = 0;
  return (streamId, fact) => {
    if (writing >= maxWriting) return;
    writing += 1;
    void fact()
      .catch((error: unknown) => log.warn({ err: error, streamId }, 'publish rejection not written'))
      .finally(() => (writing -= 1));
  };
}

/** Rejects every key alike, without a lookup. The owner of the stream is notified later. */
function rejectAll(
  ctx: SystemContext,
  write: WriteFact,
  streamKey: string,
  { ip: address, source }: PublisherConnection,
): Admission {
  if (source === 'encoder')
    write(undefined, async () => {
      const stream = await findStreamOfKey(ctx, streamKey);
      if (stream?.refusal === null)
        await recordRejection(ctx, { streamId: stream.streamId, address, ...nodeDraining });
    });
  return 'draining';
}

/** Looks for streams whose key an unknown key resembles, because their owner may have mistyped it. */
function unknownKeys(ctx: SystemContext, write: WriteFact) {
  const nearKeys = new NearKeys(ctx);
  return (streamKey: string, { ip: address, source }: PublisherConnection): null => {
    const attempt = { streamKey, address };
    if (source === 'encoder' && nearKeys.shouldLookUp(attempt))
      write(undefined, () => nearKeys.notifyOwner(attempt));
    return null;
  };
}

/** Reports rejections to the owner after the answer, because the response time would reveal information about the key. */
function rejections(ctx: SystemContext, sessions: LiveSessions, write: WriteFact) {
  return (streamId: string, rejection: Rejection, connection: PublisherConnection): Admission => {
    const { ip, source } = connection;
    connection.rejected?.(rejection);
    metrics.publishesRefused.inc({ reason: rejection.reason });
    ctx.log.info(
      { streamId, connection: connection.id, ip, source, reason: rejection.reason },
      'publish rejected',
    );
    if (source === 'encoder')
      write(streamId, () => recordRejection(ctx, { streamId, address: ip, ...rejection }));
    else if (sessions.byStream(streamId)?.publisher?.source === 'encoder')
      write(streamId, () => withdrawTestPattern(ctx, streamId));
    return 'refused';
  };
}

/** Checks a publish against the database: the key exists, publishing is allowed, and no other encoder publishes. */
export function createAdmitPublish(
  ctx: SystemContext,
  sessions: LiveSessions,
  drain: Pick<LiveDrain, 'draining'>,
  relay?: StandbyRelay,
): AdmitPublish {
  const standBy = relay && relayedStandbys(ctx, sessions, relay);
  const write = factWriter(ctx);
  const unknown = unknownKeys(ctx, write);
  const reject = rejections(ctx, sessions, write);
  const attempt = async (
    request: PublishRequest,
    connection: PublisherConnection,
    isLast: boolean,
  ): Promise<Admission | 'later'> => {
    const { streamKey } = request;
    let stream = await findStreamOfKey(ctx, streamKey);
    if (stream?.refusal === null) {
      const { streamId } = stream;
      const wrong = await request.checkPassphrase?.(stream.srtPassphrase ?? null);
      if (wrong) return reject(streamId, wrong, connection);
      const sink = await sessions.admit(connection, {
        streamId,
        streamKey,
        isBackup: stream.isBackup === true,
      });
      if (isRejected(sink)) return reject(streamId, sink.rejected, connection);
      if (sink) return sink;
      // If the stream was suspended or got a new key meanwhile, it is rejected; otherwise another node holds it.
      stream = await findStreamOfKey(ctx, streamKey);
    }
    if (!stream) return unknown(streamKey, connection);
    const { streamId, refusal, backup } = stream;
    if (refusal === null) {
      const admission = await takeOver(ctx, sessions, connection, { ...stream, streamKey });
      if (isRejected(admission)) return reject(streamId, admission.rejected, connection);
      if (admission !== null && admission !== 'later') return admission;
      if (admission === 'later' && !isLast) return 'later';
      if (backup && admission === null && connection.source === 'encoder') {
        const { isBackup = false } = stream;
        const standby = await standBy?.(connection, { streamId, streamKey, isBackup });
        if (standby) return standby;
      }
      return reject(streamId, alreadyLive, connection);
    }
    const why = rejectionOf(refusal);
    return why && reject(streamId, why, connection);
  };

  return (request, connection) =>
    untilDecided(ctx, (last) =>
      drain.draining
        ? Promise.resolve(rejectAll(ctx, write, request.streamKey, connection))
        : attempt(request, connection, last),
    );
}

/** Retries while the database does not answer or another node yields the stream; the last attempt decides. */
async function untilDecided(
  { clock }: SystemContext,
  attempt: (isLast: boolean) => Promise<Admission | 'later'>,
): Promise<Admission> {
  const until = clock.monotonic() + timeoutMs;
  for (;;) {
    const last = clock.monotonic() + retryMs > until;
    try {
      const admission = await attempt(last);
      if (admission !== 'later') return admission;
    } catch (error) {
      if (last) throw error;
    }
    await delay(retryMs);
  }
}
