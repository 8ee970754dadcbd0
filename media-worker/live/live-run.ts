import type { Publisher } from '@/lib/core/streams/publish-admission';
import type { Clock } from '@/lib/infra/clock';
import type { Logger } from '@/lib/infra/logger';
import { metrics } from '@/lib/infra/metrics/metrics';
import type { AuthorizedPublish } from '@/lib/streams';
import { PacketBus } from '../media/packet-bus';
import { announceParameterSets } from '../media/announce-parameter-sets';
import { constantTracks } from '../media/constant-tracks';
import { fillSilence } from '../media/fill-silence';
import { straightStamps } from '../media/straight-stamps';
import type { PublishEnd, PublisherConnection, PublishSink } from '../media/publish';
import { Packager } from '@/media-worker/packaging/packager';
import type { IssueCode, PackagerEvent } from '@/media-worker/packaging/packager-events';
import type { Rendition } from '@/media-worker/packaging/rendition';
import { PeriodFeed } from '@/media-worker/packaging/period-feed';

/** What a run reports to its session. */
export interface LiveRunObserver {
  /** The first segment of this run is closed. */
  playable(): void;
  /** The complete list of what is wrong with this run so far. */
  issues(issues: readonly string[]): void;
  /** The publish is about to be cut because of what its encoder sends. */
  rejected(message: string, address: string): void;
  /** Milliseconds since the last media, about once a second and at the end. */
  seen(silentMs: number): void;
  ended(reason: PublishEnd): void;
}

export interface LiveRunOptions {
  readonly connection: PublisherConnection;
  /** Gets the packets, and the segments made of them. */
  readonly rendition: Rendition;
  readonly publish: Pick<AuthorizedPublish, 'streamId' | 'sessionId' | 'run'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly observer: LiveRunObserver;
}

const watchMs = 1_000;
/** What health-watch.ts says better: with a number, and no longer than it is true. */
const diagnosed: ReadonlySet<IssueCode> = new Set(['long_gop', 'forced_cut', 'timestamp_jump']);
/** A publisher that sends nothing for this long is considered dead, even if its socket is open. */
const silenceLimitMs = 10_000;

/** One publish: its packets through the bus into the packager, the packager's output into the source's window. */
export class LiveRun {
  /** Where the connection delivers its packets. */
  readonly sink: PublishSink;
  readonly #options: LiveRunOptions;
  readonly #packager: Packager;
  readonly #watch: NodeJS.Timeout;
  readonly #issues: string[] = [];
  #begun = false;
  #playable = false;

  constructor(options: LiveRunOptions) {
    this.#options = options;
    const { clock, connection } = options;
    const { streamId, sessionId, run } = options.publish;
    const log = options.log.child({ sessionId, run });
    const { window } = options.rendition;
    window.startRun(run);
    this.#packager = new Packager({
      emit: (event) => this.#onEvent(event),
      clock,
      startMs: window.mediaEndMs,
      maxSegmentMs: () => window.maxSegmentMs,
      timed: new PeriodFeed(options.rendition, (error) =>
        log.error({ err: error }, 'period subscriber failed'),
      ),
    });
    const bus = new PacketBus({
      about: { streamId, sessionId },
      onSubscriberError: (error) => {
        log.error({ err: error }, 'packaging failed');
        connection.cut('lost');
      },
    });
    const program = constantTracks(fillSilence(bus, clock));
    this.sink = straightStamps(announceParameterSets(program), clock);
    bus.subscribe({
      packet: (packet) => this.#packager.push(packet),
      end: (reason) => this.#onEnd(reason),
    });
    options.rendition.begin(bus);
    this.#watch = setInterval(() => this.#look(), watchMs);
  }

  get silentMs(): number {
    return this.#options.connection.silentFor();
  }

  get publisher(): Publisher {
    return { source: this.#options.connection.source, silentMs: this.silentMs };
  }

  /** Ends the connection; calls the observer's `ended` before it returns. */
  cut(reason: PublishEnd): void {
    this.#options.connection.cut(reason);
  }

  #look(): void {
    const silentMs = this.silentMs;
    this.#seen(silentMs);
    if (silentMs >= silenceLimitMs) this.cut('lost');
  }

  /** An encoder whose media is refused has shown nothing. */
  #seen(silentMs: number): void {
    if (this.#begun) this.#options.observer.seen(silentMs);
  }

  #onEvent(event: PackagerEvent): void {
    const { observer } = this.#options;
    const { window } = this.#options.rendition;
    switch (event.type) {
      case 'issue':
        if (!diagnosed.has(event.code)) this.#issue(event.message);
        break;
      case 'resolved':
        this.#resolve(event.message);
        break;
      case 'refused':
        this.#issue(event.message);
        metrics.publishesRefused.inc({ reason: 'unsupported_media' });
        observer.rejected(event.message, this.#options.connection.ip);
        this.#options.connection.cut('cut', event.message);
        break;
      case 'init':
        this.#begun = true;
        window.apply(event);
        break;
      case 'part':
        window.apply(event);
        break;
      case 'segment':
        window.apply(event);
        // The rest that is closed at the end of a publish counts: an encoder may lose its connection every two seconds.
        if (this.#playable) return;
        this.#playable = true;
        observer.playable();
    }
  }

  #issue(message: string): void {
    if (this.#issues.includes(message)) return;
    this.#issues.push(message);
    this.#options.observer.issues([...this.#issues]);
  }

  #resolve(message: string): void {
    const at = this.#issues.indexOf(message);
    if (at < 0) return;
    this.#issues.splice(at, 1);
    this.#options.observer.issues([...this.#issues]);
  }

  #onEnd(reason: PublishEnd): void {
    clearInterval(this.#watch);
    this.#packager.finish();
    this.#seen(this.silentMs);
    this.#options.observer.ended(reason);
  }
}
