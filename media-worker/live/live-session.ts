import type { ProgramInput } from '@/lib/core/streams/program-state';
import type { Publisher } from '@/lib/core/streams/publish-admission';
import { reconnecting } from '@/lib/core/streams/stream-doctor';
import { nextStreamState, type StreamEvent, type StreamState } from '@/lib/core/streams/stream-state';
import type { Clock } from '@/lib/infra/clock';
import type { Logger } from '@/lib/infra/logger';
import { noProgram, type AuthorizedPublish, type LiveSettings } from '@/lib/streams';
import type { PublishEnd, PublisherConnection, PublishSink } from '../media/publish';
import type { LiveRecord } from './live-record';
import { ProgramNews } from './program-news';
import { Program } from '@/media-worker/program/program';
import type { EncoderRole } from '@/media-worker/program/program-input';
import type { MakeSlate } from '@/media-worker/program/slate';
import type { Companion, StartCompanion } from '@/media-worker/packaging/companion';
import type { ProgressMeter } from './progress-meter';
import type { Renditions } from '@/media-worker/packaging/rendition';
import { endPlaylists, openRenditions } from './session-renditions';

export interface LiveSessionOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly record: Pick<
    LiveRecord,
    'active' | 'issues' | 'rejected' | 'program' | 'switched' | 'slate' | 'idle'
  >;
  readonly meter: Pick<ProgressMeter, 'segment' | 'transcoded' | 'seen' | 'flush'>;
  readonly companions: readonly StartCompanion[];
  /** Absent: there are no slates. */
  readonly makeSlate?: MakeSlate;
  /** Of the first segment at least: smaller numbers stood for other bytes. */
  readonly fromMsn?: number;
  /** Nothing can be played anymore; called once, before the database is updated. */
  readonly onOver: () => void;
}

/** How long the playlist stays after a lost connection … */
const reconnectMs = 8_000;
/** … but no longer than this after its last media, so that a dead socket never keeps a stream active beyond 15 s. */
const maxSilenceMs = 13_000;
/** How long the ended playlist stays after a clean end. `stream.idle` has to follow within 2 s. */
const endedPlaylistMs = 1_200;

/**
 * A stream that is being published to, across reconnects: owns the renditions, the running publish, its
 * companions and the timers.
 * What it may do next is decided in core/stream-state.
 */
export class LiveSession {
  readonly renditions: Renditions;
  readonly #options: LiveSessionOptions;
  readonly #program: Program;
  readonly #news: ProgramNews;
  #publish: AuthorizedPublish;
  /** When a person last chose what is on air. */
  #switchedAt = new Date(0);
  #state: StreamState = 'idle';
  readonly #companions: readonly Companion[];
  /** What is wrong, by who says so: the program, the wait for its encoder, and each companion. */
  readonly #issues = new Map<unknown, readonly string[]>();
  #reconnectTimer: NodeJS.Timeout | undefined;
  #settled: Promise<void> | null = null;

  constructor(publish: AuthorizedPublish, options: LiveSessionOptions) {
    this.#publish = publish;
    this.#options = options;
    this.renditions = openRenditions(options, this);
    this.#program = this.#openProgram(publish);
    this.#news = new ProgramNews({
      record: options.record,
      publish: () => this.#publish,
      report: () => this.#program.report,
      issues: (issues) => this.#report(ProgramNews, issues),
    });
    this.#companions = options.companions.map((start) => this.#start(start));
  }

  /** The publish that is running, or ran last. */
  get publish(): AuthorizedPublish {
    return this.#publish;
  }

  /** The playlist can be fetched, also during the reconnect window and shortly after a clean end. */
  get active(): boolean {
    return this.#state === 'active' || this.#state === 'interrupted' || this.ending;
  }

  /** The playlist shows its end: the next publish needs a session of its own. */
  get ending(): boolean {
    return this.#state === 'ending';
  }

  get over(): boolean {
    return this.#settled !== null;
  }

  /** Milliseconds since the publisher's last media; null without a publisher. */
  get silentMs(): number | null {
    return this.#program.silentMs;
  }

  /** Null while its encoder is away. */
  get publisher(): Publisher | null {
    return this.#program.publisher('primary');
  }

  /** The encoder that stands by; null without one. */
  get standby(): Publisher | null {
    return this.#program.publisher('standby');
  }

  /** The first publish, or a reconnect: the playlist continues. */
  attach(
    publish: AuthorizedPublish,
    connection: PublisherConnection,
    role: EncoderRole = 'primary',
  ): PublishSink {
    this.#publish = publish;
    this.#issues.delete(Program);
    const sink = this.#connect(connection, role);
    for (const companion of this.#companions) companion.follow(publish);
    return sink;
  }

  /** A second encoder of the publish that is going on, or one that comes back while the slate is on air. */
  attachStandby(connection: PublisherConnection): PublishSink {
    return this.#connect(connection, 'standby');
  }

  #connect(connection: PublisherConnection, role: EncoderRole): PublishSink {
    const publish = this.#publish;
    const isFirst = this.#program.encoders === 0;
    clearTimeout(this.#reconnectTimer);
    if (this.#issues.delete(LiveSession)) this.#options.record.issues(publish, this.#allIssues);
    this.#program.configure(publish.settings.program ?? noProgram);
    const sink = this.#program.connect(role, connection, publish.run);
    if (!isFirst) return sink;
    this.#step('published');
    // The publish before may have become active and been replaced before that was written.
    if (this.active) this.announceActive();
    return sink;
  }

  /** The settings changed while it runs. */
  configure(settings: LiveSettings): void {
    if (this.over) return;
    this.#publish = { ...this.#publish, settings };
    this.#program.configure(settings.program ?? noProgram);
    for (const companion of this.#companions) companion.follow(this.#publish);
  }

  /** The database ended its session while this node was unreachable: the publish continues in another session. */
  goOnIn(sessionId: string, settings: LiveSettings): void {
    if (this.over) return;
    this.#publish = { ...this.#publish, sessionId };
    this.configure(settings);
  }

  /** Ends the publish, but not its playlist. `replaced`: by one with the same key. `lost`: it may come back, also elsewhere. */
  disconnect(reason: 'replaced' | 'lost', role?: EncoderRole): void {
    // Its encoder shall find another node: nothing holds the stream here.
    if (reason === 'lost') this.#program.configure(noProgram);
    this.#program.disconnect(reason, role);
  }

  /** Its key no longer works, or the stream takes no second encoder any more. */
  cutStandby(): void {
    this.#program.disconnect('lost', 'standby');
  }

  /** A person chose what is on air. @param askedAt by the database's clock */
  switchTo(input: ProgramInput, askedAt: Date): void {
    if (askedAt <= this.#switchedAt || askedAt <= this.#publish.publishedAt) return;
    this.#switchedAt = askedAt;
    this.#program.switchTo(input);
  }

  /** The database marked the stream idle by mistake: writes again that it is active. */
  announceActive(): void {
    this.#options.record.active(this.#publish, this.#allIssues);
  }

  /** Ends it now, with or without a publisher. May be called twice; resolves when the database is updated. */
  async close(): Promise<void> {
    if (this.#program.encoders > 0) this.#program.disconnect('cut');
    else if (!this.over) this.#step('ended');
    await this.#settled;
  }

  /** The same for a waiting publisher, without flushing what the previous one left. */
  async leave(): Promise<void> {
    const closed = this.close();
    for (const companion of this.#companions) companion.hurry?.();
    await closed;
  }

  #openProgram({ streamId, sessionId }: AuthorizedPublish): Program {
    const { clock, log, makeSlate, meter, record } = this.#options;
    return new Program({
      names: { streamId, sessionId },
      rendition: this.renditions.source,
      ...{ clock, log: log.child({ sessionId }), makeSlate },
      observer: {
        playable: () => this.#onPlayable(),
        issues: (issues) => this.#report(Program, issues),
        rejected: (message, address) => record.rejected(this.#publish, message, address),
        seen: (silentMs) => meter.seen(this.#publish, silentMs),
        changed: () => this.#news.look(),
        ended: (reason, silentMs) => this.#onEnded(reason, silentMs),
      },
    });
  }

  #onPlayable(): void {
    const emits = this.#step('playable');
    const { record } = this.#options;
    if (emits === 'stream.started') record.active(this.#publish, this.#allIssues);
    else record.issues(this.#publish, this.#allIssues);
  }

  get #allIssues(): string[] {
    return [...this.#issues.values()].flat();
  }

  #start(start: StartCompanion): Companion {
    const { streamId } = this.#publish;
    const who = {};
    const report = (issues: readonly string[]) => this.#report(who, issues);
    return start({ streamId, renditions: this.renditions, log: this.#options.log, report });
  }

  #report(who: unknown, issues: readonly string[]): void {
    this.#issues.set(who, issues);
    this.#options.record.issues(this.#publish, this.#allIssues);
  }

  #onEnded(reason: PublishEnd, silentMs: number): void {
    this.#step(reason === 'cut' ? 'ended' : reason === 'finished' ? 'finished' : 'lost');
    if (this.#state === 'ending') {
      endPlaylists(this.renditions);
      this.#waitFor(endedPlaylistMs);
    } else if (this.#state === 'interrupted') {
      // After a takeover the new publisher is already connected.
      if (reason === 'lost' && this.#program.input !== 'slate') this.#report(LiveSession, [reconnecting]);
      this.#waitFor(this.#patienceMs(silentMs));
    }
  }

  /** How long the stream stays active without an encoder. */
  #patienceMs(silentMs: number): number {
    const { slateSeconds } = this.#publish.settings.program ?? noProgram;
    if (this.#program.input === 'slate') return slateSeconds * 1_000;
    return Math.max(0, Math.min(reconnectMs, maxSilenceMs - silentMs));
  }

  #waitFor(ms: number): void {
    this.#reconnectTimer = setTimeout(() => this.#step('timed_out'), ms);
  }

  #step(event: StreamEvent): 'stream.started' | 'stream.idle' | null {
    const about = { sessionId: this.#publish.sessionId, event };
    const next = nextStreamState(this.#state, event);
    if ('refused' in next) {
      this.#options.log.warn({ ...about, state: this.#state, refused: next.refused }, 'unexpected event');
      return null;
    }
    this.#state = next.state;
    this.#options.log.debug({ ...about, state: next.state }, 'stream state');
    if (next.state === 'idle') this.#settled ??= this.#finish();
    return next.emits;
  }

  async #finish(): Promise<void> {
    clearTimeout(this.#reconnectTimer);
    const { meter, record, onOver } = this.#options;
    this.#program.end('lost');
    this.#news.close();
    onOver();
    const closing = Promise.all(this.#companions.map((companion) => companion.close()));
    // The counters first, so that they are complete when the end is visible; they stay buffered if that fails.
    await meter.flush().catch(() => undefined);
    await record.idle(this.#publish);
    await closing;
  }
}
