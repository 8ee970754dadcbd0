import type { ProgramInput } from '@/lib/core/streams/program-state';
import type { Publisher } from '@/lib/core/streams/publish-admission';
import { reconnectingIssue } from '@/lib/core/streams/stream-doctor';
import { streamMachine, type StreamEvent, type StreamState } from '@/lib/core/streams/stream-state';
import { noProgram, type AuthorizedPublish, type LiveSettings } from '@/lib/domain/streams';
import type { PublishEnd, PublisherConnection, PublishSink } from '@/media-worker/media/packets/publish';
import type { LiveSessionOptions } from './live-session-options';
import { ENDED_PLAYLIST_MS, idleTimeoutMs } from './idle-timeout';
import { ProgramReporter } from './program-reporter';
import { Program } from '@/media-worker/live/program/program';
import type { EncoderRole } from '@/media-worker/live/program/program-input';
import type { SessionFeature } from '@/media-worker/media/packaging/session-feature';
import type { Renditions } from '@/media-worker/media/packaging/rendition';
import { startFeatures } from './session-features';
import { SessionIssues } from './session-issues';
import { endPlaylists, openRenditions } from './session-renditions';

/**
 * A live stream across reconnects: owns the renditions, the program, the features and the timers.
 * lib/core/streams/stream-state.ts decides its transitions.
 */
export class LiveSession {
  readonly renditions: Renditions;
  readonly #options: LiveSessionOptions;
  readonly #program: Program;
  readonly #programReporter: ProgramReporter;
  #publish: AuthorizedPublish;
  #switchedAt = new Date(0);
  /** The input on air when the current wait for an encoder began, which determines the timeout. */
  #waitInput: ProgramInput | null = null;
  #state: StreamState = 'idle';
  readonly #features: readonly SessionFeature[];
  /** Issues by source: the program, the waiting time for its encoder, and each feature. */
  readonly #issues = new SessionIssues();
  #reconnectTimer: NodeJS.Timeout | undefined;
  #finished: Promise<void> | null = null;

  constructor(publish: AuthorizedPublish, options: LiveSessionOptions) {
    this.#publish = publish;
    this.#options = options;
    this.renditions = openRenditions(options, this);
    this.#program = this.#openProgram(publish);
    this.#programReporter = new ProgramReporter({
      record: options.record,
      publish: () => this.#publish,
      report: () => this.#program.report,
      onIssues: (issues) => this.#report(ProgramReporter, issues),
    });
    this.#features = startFeatures(options, this, (key, issues) => this.#report(key, issues));
  }

  /** The current publish, or the last one. */
  get publish(): AuthorizedPublish {
    return this.#publish;
  }

  /** Whether the playlist can be fetched, which includes the reconnect window and a short time after a clean end. */
  get isActive(): boolean {
    return ['active', 'interrupted', 'ending'].includes(this.#state);
  }

  /** Whether the playlist has its end tag, so that the next publish needs a new session. */
  get isEnding(): boolean {
    return this.#state === 'ending';
  }

  get isOver(): boolean {
    return this.#finished !== null;
  }

  /** Milliseconds since the publisher's last media; null without a publisher. */
  get silentMs(): number | null {
    return this.#program.silentMs;
  }

  /** The connected publisher; null while the encoder is disconnected. */
  get publisher(): Publisher | null {
    return this.#program.publisher('primary');
  }

  get standby(): Publisher | null {
    return this.#program.publisher('standby');
  }

  get slate(): 'ready' | 'coming' | null {
    return this.#program.slate;
  }

  /** Starts the first publish, or continues the playlist after a reconnect. */
  attach(
    publish: AuthorizedPublish,
    connection: PublisherConnection,
    role: EncoderRole = 'primary',
  ): PublishSink {
    this.#publish = publish;
    this.#issues.delete(Program);
    const sink = this.#connect(connection, role);
    for (const feature of this.#features) feature.follow(publish);
    return sink;
  }

  /** Connects a second encoder, or one that reconnects while the slate is on air. */
  attachStandby(connection: PublisherConnection): PublishSink {
    return this.#connect(connection, 'standby');
  }

  #connect(connection: PublisherConnection, role: EncoderRole): PublishSink {
    const publish = this.#publish;
    const isFirst = this.#program.encoderCount === 0;
    if (this.#issues.delete(LiveSession)) this.#options.record.recordIssues(publish, this.#issues.all);
    this.#program.configure(publish.settings.program ?? noProgram);
    const sink = this.#program.connect(role, connection, publish.publishNumber);
    clearTimeout(this.#reconnectTimer);
    if (!isFirst) return sink;
    this.#step('published');
    // A publish may have been replaced before its `active` was written.
    if (this.isActive) this.announceActive();
    return sink;
  }

  /** Applies settings that changed during the session. */
  configure(settings: LiveSettings): void {
    if (this.isOver) return;
    this.#publish = { ...this.#publish, settings };
    this.#program.configure(settings.program ?? noProgram);
    for (const feature of this.#features) feature.follow(this.#publish);
  }

  /** Continues the publish in a new session, because the database ended this one while the node was unreachable. */
  continueInSession(sessionId: string, settings: LiveSettings): void {
    if (!this.isOver) this.#publish = { ...this.#publish, sessionId };
    this.configure(settings);
  }

  /** Disconnects the encoder but keeps the playlist. `replaced`: by another publish. `lost`: it may reconnect anywhere. */
  disconnect(reason: 'replaced' | 'lost', role?: EncoderRole): void {
    // The encoder should connect to another node, so neither a slate nor a standby encoder keeps the stream here.
    if (reason === 'lost') this.#program.configure(noProgram);
    this.#program.disconnect(reason, role);
  }

  /** Disconnects the standby encoder, because its key or the setting for it is no longer valid. */
  cutStandby(): void {
    this.#program.disconnect('lost', 'standby');
  }

  /** Switches to an input at a user's request, which the database received at `requestedAt`. */
  switchTo(input: ProgramInput, requestedAt: Date): void {
    if (requestedAt <= this.#switchedAt || requestedAt <= this.#publish.publishedAt) return;
    this.#switchedAt = requestedAt;
    this.#program.switchTo(input);
  }

  /** Writes `active` again, because the database marked the stream idle by mistake. */
  announceActive(): void {
    this.#options.record.markActive(this.#publish, this.#issues.all);
  }

  /** Ends the session in the database, once; with `finishSoon`, its features end without the remaining media. */
  async close(finishSoon = false): Promise<void> {
    if (this.#program.encoderCount > 0) this.#program.disconnect('cut');
    else if (!this.isOver) this.#step('ended');
    if (finishSoon) for (const feature of this.#features) feature.finishSoon?.();
    await this.#finished;
  }

  #openProgram({ streamId, sessionId }: AuthorizedPublish): Program {
    const { clock, log, makeSlate, meter, record } = this.#options;
    return new Program({
      ids: { streamId, sessionId },
      rendition: this.renditions.source,
      clock,
      log: log.child({ sessionId }),
      makeSlate,
      observer: {
        onFirstSegment: () => {
          if (this.#step('playable') === 'stream.started') this.announceActive();
          else record.recordIssues(this.#publish, this.#issues.all);
        },
        onIssues: (issues) => this.#report(Program, issues),
        onReject: (message, address) => record.recordRejection(this.#publish, message, address),
        onMedia: (silentMs) => meter.recordMedia(this.#publish, silentMs),
        onChange: () => this.#onChanged(),
        onEnd: (reason, silentMs) => this.#onEnded(reason, silentMs),
      },
    });
  }

  #onChanged(): void {
    this.#programReporter.update();
    const isWaiting = this.#state === 'interrupted' && this.#program.encoderCount === 0;
    // The slate may become ready after the encoder was lost.
    if (isWaiting && this.#program.input !== this.#waitInput) this.#waitForEncoder(0);
  }

  #report(key: unknown, issues: readonly string[]): void {
    this.#issues.set(key, issues);
    this.#options.record.recordIssues(this.#publish, this.#issues.all);
  }

  #onEnded(reason: PublishEnd, silentMs: number): void {
    this.#step(reason === 'cut' ? 'ended' : reason === 'finished' ? 'finished' : 'lost');
    if (this.#state === 'ending') {
      endPlaylists(this.renditions);
      this.#waitFor(ENDED_PLAYLIST_MS);
    } else if (this.#state === 'interrupted') {
      // After a takeover the new publisher is already connected.
      if (reason === 'lost' && this.#program.input !== 'slate')
        this.#report(LiveSession, [reconnectingIssue]);
      this.#waitForEncoder(silentMs);
    }
  }

  #waitForEncoder(silentMs: number): void {
    const { slateSeconds } = this.#publish.settings.program ?? noProgram;
    const { input, slate } = this.#program;
    this.#waitInput = input;
    this.#waitFor(idleTimeoutMs({ input, slate, slateSeconds, silentMs }));
  }

  #waitFor(ms: number): void {
    clearTimeout(this.#reconnectTimer);
    this.#reconnectTimer = setTimeout(() => this.#step('timed_out'), ms);
  }

  /** Applies an event to the state. Returns the event to store; null if there is none, or the transition is not allowed. */
  #step(event: StreamEvent): 'stream.started' | 'stream.idle' | null {
    const next = streamMachine.nextState(this.#state, event);
    const emittedEvent = next && streamMachine.emittedEvent(this.#state, event);
    const logFields = { sessionId: this.#publish.sessionId, event, state: next ?? this.#state };
    if (next === null) this.#options.log.warn(logFields, 'unexpected event');
    else this.#options.log.debug(logFields, 'stream state');
    this.#state = next ?? this.#state;
    if (next === 'idle') this.#finished ??= this.#finish();
    return emittedEvent;
  }

  async #finish(): Promise<void> {
    clearTimeout(this.#reconnectTimer);
    const { meter, record, onOver } = this.#options;
    this.#program.end('lost');
    this.#programReporter.close();
    onOver();
    const closing = Promise.all(this.#features.map((feature) => feature.close()));
    // Write the counters first, so that they are complete when the end is visible; on failure they stay buffered.
    await meter.flush().catch(() => undefined);
    await record.markIdle(this.#publish);
    await closing;
  }
}
