import { setTimeout as delay } from 'node:timers/promises';
import type { SystemContext } from '@/lib/domain/context';
import { deadAfterMs } from '@/lib/core/nodes/node-state';
import {
  alreadyLiveRejection,
  nodeDrainingRejection,
  streamRejection,
  type Rejected,
  type PublishRejection,
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

/** Maximum time for a decision while the database does not respond, or another node yields the stream. */
const DECISION_TIMEOUT_MS = 4_500;
const RETRY_DELAY_MS = 250;
/** Maximum number of rejections written at the same time; more are only logged. */
const MAX_PENDING_WRITES = 32;

const isRejected = (answer: Admission | 'retry' | Rejected): answer is Rejected =>
  typeof answer === 'object' && answer !== null && 'rejected' in answer;

/** Asks the node that has the stream to yield it, and then admits the publish here; null if the other node does not yield. */
async function takeOver(
  ctx: SystemContext,
  sessions: LiveSessions,
  connection: PublisherConnection,
  request: { readonly streamId: string; readonly streamKey: string; readonly isBackup?: true },
): Promise<Admission | 'retry' | Rejected> {
  // A test pattern never takes over a stream from another node.
  if (connection.source !== 'encoder') return null;
  const { streamId, streamKey, isBackup = false } = request;
  const holder = await findHolder(ctx, streamId);
  if (!holder) return 'retry';
  const { nodeId, publishNumber } = holder;
  const takeover = { streamId, run: publishNumber, source: connection.source };
  const answer = await requestTakeover(ctx, holder, takeover);
  if (answer !== 'yield') return answer === 'wait' ? 'retry' : null;
  ctx.log.info({ streamId, from: nodeId }, 'stream taken over from another node');
  const sink = await sessions.admit(connection, {
    streamId,
    streamKey,
    isBackup,
    yieldedPublish: { nodeId, publishNumber },
  });
  return sink ?? 'retry';
}

/** The relay with which other nodes read the standby encoders of this node. */
export interface StandbyRelay {
  readonly standbys: RelayedStandbys;
  /** URL of this node for other nodes. */
  readonly url: string;
}

/** Creates a function that offers an encoder of this node to the node that has the stream, as its standby encoder. */
function createStandbyOffer(ctx: SystemContext, sessions: LiveSessions, { standbys, url }: StandbyRelay) {
  const offer = async (
    relay: RelayedStandby,
    { ip }: PublisherConnection,
    { streamId, isBackup }: { readonly streamId: string; readonly isBackup: boolean },
  ): ReturnType<typeof offerStandby> => {
    const holder = await findHolder(ctx, streamId);
    if (!holder) return 'no answer';
    const { publishNumber } = holder;
    const packets = { ip, url: `${url}/standbys/${relay.id}` };
    const answer = await offerStandby(ctx, holder, { streamId, run: publishNumber, isBackup, ...packets });
    if (answer === 'taken') relay.startReadTimeout();
    return answer;
  };
  const readmit = async (
    relay: RelayedStandby,
    connection: PublisherConnection,
    streamKey: string,
  ): Promise<Readmission> => {
    const stream = await findStreamOfKey(ctx, streamKey);
    if (stream?.rejectionReason !== null) return null;
    const request = { ...stream, streamKey };
    const { streamId, isBackup = false } = stream;
    const admission = await sessions.admit(connection, { streamId, streamKey, isBackup });
    const answer = admission === null ? await takeOver(ctx, sessions, connection, request) : admission;
    if (answer === 'retry') return 'retry';
    if (answer !== null) return typeof answer === 'string' || isRejected(answer) ? null : answer;
    const offerAnswer = await offer(relay, connection, { streamId, isBackup });
    return offerAnswer === 'taken' ? 'relayed' : offerAnswer === 'declined' ? null : 'retry';
  };
  return async (
    connection: PublisherConnection,
    request: { readonly streamId: string; readonly streamKey: string; readonly isBackup: boolean },
  ): Promise<PublishSink | null> => {
    const relay = standbys.open({
      connection,
      log: ctx.log.child({ streamId: request.streamId }),
      readmit: (endedRelay) => readmit(endedRelay, connection, request.streamKey),
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

type WriteRejection = (streamId: string | undefined, writeToDatabase: () => Promise<unknown>) => void;

/** Creates a function that writes rejections to the database without delaying the encoder. */
function createRejectionWriter({ log }: SystemContext): WriteRejection {
  let pendingWrites = 0;
  return (streamId, writeToDatabase) => {
    if (pendingWrites >= MAX_PENDING_WRITES) return;
    pendingWrites += 1;
    void writeToDatabase()
      .catch((error: unknown) => log.warn({ err: error, streamId }, 'publish rejection not written'))
      .finally(() => (pendingWrites -= 1));
  };
}

/** Rejects every key in the same way, without a lookup. If the key exists, the owner of its stream is notified later. */
function rejectAll(
  ctx: SystemContext,
  writeRejection: WriteRejection,
  streamKey: string,
  { ip: address, source }: PublisherConnection,
): Admission {
  if (source === 'encoder')
    writeRejection(undefined, async () => {
      const stream = await findStreamOfKey(ctx, streamKey);
      if (stream?.rejectionReason === null)
        await recordRejection(ctx, { streamId: stream.streamId, address, ...nodeDrainingRejection });
    });
  return 'draining';
}

/** Creates a function that rejects unknown keys and notifies the owner of a similar key, which may be mistyped. */
function createUnknownKeyHandler(ctx: SystemContext, writeRejection: WriteRejection) {
  const nearKeys = new NearKeys(ctx);
  return (streamKey: string, { ip: address, source }: PublisherConnection): null => {
    const attempt = { streamKey, address };
    if (source === 'encoder' && nearKeys.startLookup(attempt))
      writeRejection(undefined, () => nearKeys.notifyOwner(attempt));
    return null;
  };
}

/** Creates a function that rejects a valid key. The owner is notified later, because a slow response would reveal the key. */
function createRejectionHandler(ctx: SystemContext, sessions: LiveSessions, writeRejection: WriteRejection) {
  return (streamId: string, rejection: PublishRejection, connection: PublisherConnection): Admission => {
    const { ip, source } = connection;
    connection.reportRejection?.(rejection);
    metrics.publishesRejected.inc({ reason: rejection.reason });
    ctx.log.info(
      { streamId, connection: connection.id, ip, source, reason: rejection.reason },
      'publish rejected',
    );
    if (source === 'encoder')
      writeRejection(streamId, () => recordRejection(ctx, { streamId, address: ip, ...rejection }));
    else if (sessions.byStream(streamId)?.publisher?.source === 'encoder')
      writeRejection(streamId, () => withdrawTestPattern(ctx, streamId));
    return 'rejected';
  };
}

/** Creates the function that checks in the database that the key exists and may publish, and no other encoder does. */
export function createAdmitPublish(
  ctx: SystemContext,
  sessions: LiveSessions,
  drain: Pick<LiveDrain, 'draining'>,
  relay?: StandbyRelay,
): AdmitPublish {
  const offerToOtherNode = relay && createStandbyOffer(ctx, sessions, relay);
  const writeRejection = createRejectionWriter(ctx);
  const rejectUnknownKey = createUnknownKeyHandler(ctx, writeRejection);
  const reject = createRejectionHandler(ctx, sessions, writeRejection);
  const attempt = async (
    request: PublishRequest,
    connection: PublisherConnection,
    isLast: boolean,
  ): Promise<Admission | 'retry'> => {
    const { streamKey } = request;
    let stream = await findStreamOfKey(ctx, streamKey);
    if (stream?.rejectionReason === null) {
      const { streamId, isBackup = false } = stream;
      const passphraseRejection = await request.checkPassphrase?.(stream.srtPassphrase ?? null);
      if (passphraseRejection) return reject(streamId, passphraseRejection, connection);
      const sink = await sessions.admit(connection, { streamId, streamKey, isBackup });
      if (isRejected(sink)) return reject(streamId, sink.rejected, connection);
      if (sink) return sink;
      // If the stream was suspended or got a new key meanwhile, it is rejected; otherwise another node has it.
      stream = await findStreamOfKey(ctx, streamKey);
    }
    if (!stream) return rejectUnknownKey(streamKey, connection);
    const { streamId, rejectionReason, backup } = stream;
    if (rejectionReason === null) {
      const admission = await takeOver(ctx, sessions, connection, { ...stream, streamKey });
      if (isRejected(admission)) return reject(streamId, admission.rejected, connection);
      if (admission !== null && admission !== 'retry') return admission;
      if (admission === 'retry' && !isLast) return 'retry';
      if (backup && admission === null && connection.source === 'encoder') {
        const { isBackup = false } = stream;
        const standby = await offerToOtherNode?.(connection, { streamId, streamKey, isBackup });
        if (standby) return standby;
      }
      return reject(streamId, alreadyLiveRejection, connection);
    }
    const rejection = streamRejection(rejectionReason);
    return rejection && reject(streamId, rejection, connection);
  };

  return (request, connection) =>
    retryUntilDecided(ctx, (isLast) =>
      drain.draining
        ? Promise.resolve(rejectAll(ctx, writeRejection, request.streamKey, connection))
        : attempt(request, connection, isLast),
    );
}

/**
 * Retries while the database does not respond or another node yields the stream.
 * @throws the error of the last attempt
 */
async function retryUntilDecided(
  { clock }: SystemContext,
  attempt: (isLast: boolean) => Promise<Admission | 'retry'>,
): Promise<Admission> {
  const deadlineMs = clock.monotonic() + DECISION_TIMEOUT_MS;
  for (;;) {
    const isLast = clock.monotonic() + RETRY_DELAY_MS > deadlineMs;
    try {
      const admission = await attempt(isLast);
      if (admission !== 'retry') return admission;
    } catch (error) {
      if (isLast) throw error;
    }
    await delay(RETRY_DELAY_MS);
  }
}
