import { setTimeout as delay } from 'node:timers/promises';
import { unreachableRejection } from '@/lib/core/streams/publish-admission';
import type { SystemContext } from '@/lib/domain/context';
import { recordRejection } from '@/lib/domain/streams';
import { metrics } from '@/lib/infra/metrics/metrics';
import { within } from '@/lib/infra/within';
import { askAdmission, streamKeyOf } from '@/media-worker/ingest/publisher/ask-admission';
import { KeyGuessLimiter } from '@/media-worker/ingest/publisher/key-guess-limiter';
import { PublishLifecycle } from '@/media-worker/ingest/publisher/publish-lifecycle';
import { type PublisherLimits, reasonOf } from '@/media-worker/ingest/publisher/publisher-limits';
import { errorAnswer, type Answer } from '@/media-worker/kit/http/answer';
import type { PublishSink } from '@/media-worker/media/packets/publish';
import type { AcceptedOffer, OpenedConnection, RtcDirection } from '@/media-worker/rtc/rtc-direction';
import type { PublishOffer } from '@/media-worker/rtc/rtc-request';
import type { SessionDescription } from '@/media-worker/rtc/sdp';
import { MovablePublish, type PublishConnection } from './movable-publish';
import { announcedTracksOf, type OfferedMedia, selectOfferedMedia } from './offered-media';
import type { RemotePublishes } from './remote-publish';
import { WhipPublisher } from './whip-publisher';

/** Limits of WHIP publishers: times in milliseconds, and the packets and bytes that wait for their admission. */
const publishLimits: Pick<
  PublisherLimits,
  | 'admissionTimeoutMs'
  | 'minRejectionMs'
  | 'queuedPackets'
  | 'queuedBytes'
  | 'maxWrongKeys'
  | 'serialChecksMs'
> = {
  admissionTimeoutMs: 14_000,
  minRejectionMs: 250,
  queuedPackets: 4_096,
  queuedBytes: 16 * 1024 * 1024,
  maxWrongKeys: 10,
  serialChecksMs: 600_000,
};

/** Interval at which the timers of all publishers are handled. */
const TICK_MS = 20;

const streamNotFoundAnswer = errorAnswer(404, 'No stream at this URL.');
const unsupportedCodecAnswer = errorAnswer(
  406,
  'The offer has no supported codec: offer H.264, HEVC or AV1 for video, or Opus for audio.',
);
const drainingAnswer = errorAnswer(
  503,
  'The server is going out of service. Publish again to reach another one.',
  {
    'Retry-After': 1,
  },
);
const unavailableAnswer = errorAnswer(503, 'The server cannot accept this publish now. Try again.', {
  'Retry-After': 2,
});

/** A publish with its newest connection. */
interface OpenPublish {
  readonly movable: MovablePublish;
  readonly connection: PublishConnection;
  readonly lifecycle: Pick<PublishLifecycle, 'ip' | 'ids'>;
}

/** WHIP: handles publishers whose connections are in this process and whose streams are in live processes. */
export class WhipPublishes implements RtcDirection<PublishOffer> {
  readonly #ctx: SystemContext;
  readonly #remote: Pick<RemotePublishes, 'admit'>;
  readonly #keyGuessLimiter: KeyGuessLimiter;
  readonly #publishers = new Map<WhipPublisher, OpenPublish>();
  #tickTimer: NodeJS.Timeout | null = null;

  constructor(ctx: SystemContext, remote: Pick<RemotePublishes, 'admit'>) {
    this.#ctx = ctx;
    this.#remote = remote;
    this.#keyGuessLimiter = new KeyGuessLimiter(publishLimits, () => ctx.clock.monotonic());
  }

  get count(): number {
    return this.#publishers.size;
  }

  /** Requests a keyframe from the encoders of a stream that are connected to this process. */
  requestKeyframe(streamId: string): void {
    const monotonicMs = this.#ctx.clock.monotonic();
    for (const [publisher, { lifecycle }] of this.#publishers)
      if (lifecycle.ids?.streamId === streamId) publisher.requestKeyframe(monotonicMs);
  }

  async accept(
    request: PublishOffer,
    offer: SessionDescription,
    connection: OpenedConnection,
  ): Promise<AcceptedOffer | Answer> {
    const media = selectOfferedMedia(offer);
    if (!media) return unsupportedCodecAnswer;
    const { clock, log, secrets } = this.#ctx;
    const keyFingerprint = secrets
      .fingerprint('stream-key', streamKeyOf(request.streamKey, ''))
      .toString('base64');
    const openedPublish =
      this.#continuePublish(keyFingerprint, media, connection) ??
      (await this.#startPublish(request, media, { connection, keyFingerprint }));
    if ('status' in openedPublish) return openedPublish;
    const { connection: publishConnection, lifecycle } = openedPublish;
    const publisher: WhipPublisher = new WhipPublisher({
      offer,
      media,
      publish: publishConnection,
      log,
      now: () => clock.monotonic(),
      onUnreachable: () => void this.#reportUnreachable(lifecycle),
      onClosed: () => this.#remove(publisher),
    });
    this.#publishers.set(publisher, openedPublish);
    this.#tickTimer ??= setInterval(() => this.#tick(clock.monotonic()), TICK_MS);
    return publisher;
  }

  /**
   * Continues the publish of a client whose ICE restart was rejected and that connects again; null for any other
   * client.
   */
  #continuePublish(
    keyFingerprint: string,
    tracks: OfferedMedia,
    { close }: OpenedConnection,
  ): OpenPublish | null {
    const movedPublisher = [...this.#publishers.values()].find(({ movable }) =>
      movable.isContinuedBy(keyFingerprint, tracks),
    );
    return movedPublisher
      ? { ...movedPublisher, connection: movedPublisher.movable.createNextConnection(close) }
      : null;
  }

  async #startPublish(
    request: PublishOffer,
    tracks: OfferedMedia,
    {
      connection: { id, close },
      keyFingerprint,
    }: { readonly connection: OpenedConnection; readonly keyFingerprint: string },
  ): Promise<OpenPublish | Answer> {
    const { clock, log } = this.#ctx;
    const now = () => clock.monotonic();
    const lifecycle: PublishLifecycle = new PublishLifecycle({
      id,
      ip: request.ip,
      source: 'encoder',
      limits: publishLimits,
      now,
      close: () => movable.closeAll(),
      onEnd: (reason, wasAdmitted) => {
        if (wasAdmitted) log.info({ connection: id, reason, ...lifecycle.ids }, 'WebRTC publish ended');
      },
    });
    const movable = new MovablePublish({ publish: lifecycle, keyFingerprint, tracks, log, now });
    const publishConnection = movable.createFirstConnection(close);
    const sink = await this.#requestAdmission(request, tracks, lifecycle);
    if ('status' in sink) return sink;
    lifecycle.attachSink(sink);
    return { movable, connection: publishConnection, lifecycle };
  }

  async #requestAdmission(
    { streamKey: sentStreamKey, ip }: PublishOffer,
    media: OfferedMedia,
    publish: PublishLifecycle,
  ): Promise<PublishSink | Answer> {
    const { log, clock } = this.#ctx;
    const askedAtMs = clock.monotonic();
    const tracks = announcedTracksOf(media);
    const streamKey = streamKeyOf(sentStreamKey, '');
    const admission = askAdmission({ app: 'live', streamKey, ip }, publish, {
      log,
      keyGuessLimiter: this.#keyGuessLimiter,
      admit: (request, connection) => this.#remote.admit({ ...request, tracks }, connection),
    });
    let rejection: Answer = unavailableAnswer;
    try {
      const answer = await within(publishLimits.admissionTimeoutMs, admission);
      if (answer !== null && answer !== 'draining') return answer;
      rejection = answer === null ? streamNotFoundAnswer : drainingAnswer;
    } catch (error) {
      // No decision in time. A late one must end at the live process, so its sink is attached to the ended publish.
      metrics.publishesRejected.inc({ reason: 'unavailable' });
      log.info({ connection: publish.id, why: reasonOf(error) }, 'publish rejected: no admission decision');
      admission.then(
        (lateAdmission) =>
          lateAdmission !== null && lateAdmission !== 'draining' && publish.attachSink(lateAdmission),
        () => undefined,
      );
    }
    publish.end('lost');
    await delay(Math.max(0, publishLimits.minRejectionMs - (clock.monotonic() - askedAtMs)));
    return rejection;
  }

  #tick(monotonicMs: number): void {
    for (const publisher of this.#publishers.keys()) publisher.tick(monotonicMs);
  }

  #remove(publisher: WhipPublisher): void {
    this.#publishers.delete(publisher);
    if (this.#publishers.size > 0 || this.#tickTimer === null) return;
    clearInterval(this.#tickTimer);
    this.#tickTimer = null;
  }

  /** Tells the owner of the stream which port no datagram reached, because the publisher's page cannot know it. */
  async #reportUnreachable({ ip: address, ids }: OpenPublish['lifecycle']): Promise<void> {
    const { log, settings } = this.#ctx;
    if (!ids) return;
    const rejection = unreachableRejection(settings.rtcPort ?? 0);
    metrics.publishesRejected.inc({ reason: rejection.reason });
    log.warn({ ...ids, ip: address, port: settings.rtcPort }, 'no datagram of a WebRTC publisher arrived');
    await recordRejection(this.#ctx, { streamId: ids.streamId, address, ...rejection }).catch(
      (error: unknown) => log.warn({ err: error, ...ids }, 'publish rejection not written'),
    );
  }
}
