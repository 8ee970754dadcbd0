import { EventEmitter, once } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { SystemContext } from '@/lib/domain/context';
import {
  alreadyLiveRejection,
  answerTakeover,
  assignEncoder,
  type Rejected,
  type TakeoverAnswer,
} from '@/lib/core/streams/publish-admission';
import type { TakeoverRequest } from '@/lib/domain/nodes';
import {
  authorizePublish,
  authorizeStandby,
  noProgram,
  PublishRejectedError,
  type YieldedPublish,
} from '@/lib/domain/streams';
import type { PublisherConnection, PublishSink } from '@/media-worker/media/packets/publish';
import type { StartFeature } from '@/media-worker/media/packaging/session-feature';
import type { MakeSlate } from '@/media-worker/live/program/slate';
import type { CapacityGuard } from './capacity-guard';
import { LiveRecord } from './live-record';
import { LiveSession } from './live-session';
import type { LiveSessionOptions } from './live-session-options';
import type { ProgressMeter } from './progress-meter';

export interface LiveSessionsOptions {
  readonly ctx: SystemContext;
  readonly nodeId: string;
  readonly meter: ProgressMeter;
  readonly features: readonly StartFeature[];
  readonly capacity: Pick<CapacityGuard, 'rejection'>;
  /** Absent: sessions have no slate. */
  readonly makeSlate?: MakeSlate;
}

/** Result of an admission. Null if the stream cannot be published to, or another node has it. */
type AdmitResult = PublishSink | Rejected | null;

interface AdmitRequest {
  readonly streamId: string;
  /** The key, which must still belong to the stream. */
  readonly streamKey?: string;
  /** Whether the key is the one of a standby encoder. */
  readonly isBackup?: boolean;
  readonly yieldedPublish?: YieldedPublish;
}

/** Options of a preview, which is not counted, recorded, transcoded, sent to targets or measured. */
const previewOptions: Pick<LiveSessionOptions, 'meter' | 'features'> = {
  meter: {
    countSegment: () => undefined,
    countTranscodedSegment: () => undefined,
    recordMedia: () => undefined,
    flush: () => Promise.resolve(),
  },
  features: [],
};

/** All live sessions of this node, one per stream, found by stream for publishers and by playback id for viewers. */
export class LiveSessions {
  readonly #options: LiveSessionsOptions;
  readonly #byStream = new Map<string, LiveSession>();
  readonly #byPlaybackId = new Map<string, LiveSession>();
  /** The first free segment number of each stream: caches may have parts of a publish that failed immediately. */
  readonly #nextFreeMsn = new LRUCache<string, number>({ max: 10_000 });
  readonly #pendingAdmissions = new Map<string, Promise<unknown>>();
  readonly #exiting = new AbortController();
  readonly #events = new EventEmitter();
  #admissions = 0;
  /** Number of streams that are being admitted and have no session yet. */
  #enteringStreams = 0;

  constructor(options: LiveSessionsOptions) {
    this.#options = options;
  }

  /** All sessions, including those that are over but not yet written to the database. */
  get all(): readonly LiveSession[] {
    return [...this.#byStream.values()];
  }

  /** Number of admissions requested from the database, whatever their result. */
  get admissions(): number {
    return this.#admissions;
  }

  byStream(streamId: string): LiveSession | undefined {
    return this.#byStream.get(streamId);
  }

  byPlaybackId(playbackId: string): LiveSession | undefined {
    return this.#byPlaybackId.get(playbackId);
  }

  /** Admits or rejects a publisher with a valid key, one at a time per stream. */
  admit(connection: PublisherConnection, request: AdmitRequest): Promise<AdmitResult> {
    const { streamId } = request;
    const previous = this.#pendingAdmissions.get(streamId) ?? Promise.resolve();
    const admission = previous.catch(() => undefined).then(() => this.#admit(connection, request));
    this.#pendingAdmissions.set(streamId, admission);
    const forget = () => {
      if (this.#pendingAdmissions.get(streamId) === admission) this.#pendingAdmissions.delete(streamId);
    };
    admission.then(forget, forget);
    return admission;
  }

  /**
   * Whether another node may take over a stream. That node changes the row, and stream control then ends the session here. If
   * the other node dies before that, the session stays.
   */
  answerTakeover(
    { streamId, run: publishNumber, source }: TakeoverRequest,
    draining: boolean,
  ): TakeoverAnswer {
    const session = this.#byStream.get(streamId);
    // A publish that is being admitted has a number but no session yet.
    if (!session || session.publish.publishNumber !== publishNumber || this.#pendingAdmissions.has(streamId))
      return 'refuse';
    const isEnding = session.isEnding || session.isOver;
    return answerTakeover(
      { publisher: session.publisher ?? session.standby, ending: isEnding, draining },
      source,
    );
  }

  /** Resolves when there is no session. */
  async waitUntilEmpty(): Promise<void> {
    if (this.#byStream.size > 0) await once(this.#events, 'emptied');
  }

  /** Ends every session; resolves when the database is updated. After `graceMs`, failed writes are no longer retried. */
  async close(graceMs = 1_200): Promise<void> {
    const timer = setTimeout(() => this.#exiting.abort(), graceMs);
    await Promise.all(this.all.map((session) => session.close()));
    clearTimeout(timer);
  }

  async #admit(connection: PublisherConnection, request: AdmitRequest): Promise<AdmitResult> {
    const { streamId } = request;
    const currentSession = this.#byStream.get(streamId);
    if (currentSession?.isOver || currentSession?.isEnding) await currentSession.close(true);
    else if (currentSession) {
      const { publisher: primary, standby, publish } = currentSession;
      const { backup } = publish.settings.program ?? noProgram;
      const { source } = connection;
      const decision = assignEncoder(
        { primary, standby, backup },
        { source, isBackup: request.isBackup === true },
      );
      if (decision.kind === 'reject') return { rejected: alreadyLiveRejection };
      if (decision.replaces) currentSession.disconnect('replaced', decision.role);
      if (decision.kind === 'join') return this.#join(currentSession, connection, request);
      if (primary?.source === 'test-pattern') currentSession.disconnect('replaced', 'primary');
    }
    if (this.#byStream.has(streamId)) return this.#authorize(connection, request);
    const capacityRejection = this.#options.capacity.rejection(this.#byStream.size + this.#enteringStreams);
    if (capacityRejection) return { rejected: capacityRejection };
    this.#enteringStreams += 1;
    return this.#authorize(connection, request).finally(() => (this.#enteringStreams -= 1));
  }

  /** Connects a standby encoder to the running publish. */
  async #join(
    session: LiveSession,
    connection: PublisherConnection,
    request: AdmitRequest,
  ): Promise<PublishSink | null> {
    const { ctx, nodeId } = this.#options;
    const { streamId, streamKey } = request;
    const { publishNumber } = session.publish;
    const keyOption = streamKey === undefined ? {} : { streamKey };
    const isAllowed = await authorizeStandby(ctx, { streamId, nodeId, publishNumber, ...keyOption });
    if (!isAllowed || session.isOver || session.isEnding || session.publish.publishNumber !== publishNumber)
      return null;
    return session.attachStandby(connection);
  }

  #authorize(connection: PublisherConnection, request: AdmitRequest): Promise<AdmitResult> {
    return this.#attach(connection, request).catch((error: unknown) => {
      if (error instanceof PublishRejectedError) return { rejected: error.rejection };
      throw error;
    });
  }

  async #attach(connection: PublisherConnection, request: AdmitRequest): Promise<PublishSink | null> {
    const { ctx, nodeId } = this.#options;
    const { streamId } = request;
    const { source } = connection;
    const { isBackup = false, ...authorization } = request;
    const role = isBackup ? 'standby' : 'primary';
    const runningSessionId = this.#runningSession(streamId)?.publish.sessionId;
    const publishRequest = { ...authorization, nodeId, source, runningSessionId };
    const publish = await authorizePublish(ctx, publishRequest).finally(() => (this.#admissions += 1));
    if (!publish) return null;
    // Read the session again, because the reconnect timeout may have ended it meanwhile.
    const runningSession = this.#runningSession(streamId);
    // A preview and the public stream have different playback ids.
    if (runningSession?.publish.playbackId === publish.playbackId)
      return runningSession.attach(publish, connection, role);
    await this.#byStream.get(streamId)?.close(true);
    const session = this.#create(publish);
    return session.attach(publish, connection, role);
  }

  /** The session of a stream that new encoders can join. */
  #runningSession(streamId: string): LiveSession | undefined {
    const session = this.#byStream.get(streamId);
    return session?.isOver || session?.isEnding ? undefined : session;
  }

  #create(publish: LiveSession['publish']): LiveSession {
    const { ctx, nodeId } = this.#options;
    const { streamId, playbackId, preview = false } = publish;
    const { meter, features } = preview ? previewOptions : this.#options;
    const { makeSlate } = this.#options;
    const log = ctx.log.child({ streamId });
    const session: LiveSession = new LiveSession(publish, {
      clock: ctx.clock,
      log,
      meter,
      features,
      ...(makeSlate && !preview ? { makeSlate } : {}),
      record: new LiveRecord({ ...ctx, log }, nodeId, this.#exiting.signal),
      fromMsn: this.#nextFreeMsn.get(streamId) ?? 0,
      onOver: () => {
        this.#byPlaybackId.delete(playbackId);
        this.#nextFreeMsn.set(streamId, session.renditions.source.window.nextFreeMsn);
        void this.#remove(session);
      },
    });
    this.#byStream.set(streamId, session);
    this.#byPlaybackId.set(playbackId, session);
    return session;
  }

  async #remove(session: LiveSession): Promise<void> {
    // `onOver` is called before `isOver` becomes true, so the session is closed after the current call stack.
    await Promise.resolve();
    await session.close();
    const { streamId } = session.publish;
    if (this.#byStream.get(streamId) === session) this.#byStream.delete(streamId);
    if (this.#byStream.size === 0) this.#events.emit('emptied');
  }
}
