import { defined } from '@/lib/core/defined';
import { sourceProfile } from '@/lib/core/renditions/profile-rules';
import { targetMessage } from '@/lib/core/targets/target-test';
import { pushDestination } from '@/lib/core/targets/target-url';
import { afterExit, initialRestartState, type RestartPolicy } from '@/lib/core/renditions/restart-backoff';
import { targetMachine, type TargetEvent, type TargetState } from '@/lib/core/targets/target-state';
import type { OpenTarget } from '@/lib/domain/multistream';
import type { TargetFact } from '@/lib/domain/multistream';
import type { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { pause } from './target-reports';
import { PushAttempt, type PushAttemptOptions, type PushEnd } from './push-attempt';
import { type PushedRendition, WhipAttempt, type WhipLink } from './whip-attempt';
import type { RenditionBus } from './rendition-bus';

type PushEnvironment = Pick<PushAttemptOptions, 'sockets' | 'isOwn' | 'now'>;

export interface TargetPushOptions extends PushEnvironment {
  readonly target: OpenTarget;
  readonly stream: Pick<PushedRendition, 'streamId' | 'playbackId'>;
  readonly whip: WhipLink;
  readonly rendition: RenditionBus;
  readonly report: (fact: TargetFact) => void;
  /** Jitter from 0 to 1, so that targets that failed together do not retry together. */
  readonly random?: () => number;
}

/** Destination in the message about an invalid URL. */
const noDestination = { kind: 'rtmp', host: '', port: 0 } as const;

const policy: RestartPolicy = {
  healthyAfterMs: 30_000,
  immediateRestarts: 0,
  firstDelayMs: 1_000,
  maxDelayMs: 30_000,
};
/** How often the bitrate is reported, along with a state that the database may have missed. */
const refreshMs = 5_000;
/** A rendition that is missing this long after the start of the source is reported. */
const absentMs = 15_000;

/** Sends one rendition to one target, across publishes, failures and pauses, until it is stopped. */
export class TargetPush {
  readonly target: OpenTarget;
  readonly #options: TargetPushOptions;
  readonly #ending = new AbortController();
  readonly #loop: Promise<void>;
  #state: TargetState = 'disconnected';
  #attempt: Pick<PushAttempt, 'done' | 'bytes' | 'stop'> | null = null;
  #restarts = initialRestartState;
  #bytesBefore = 0;
  #bytesAt: number;

  constructor(options: TargetPushOptions) {
    this.#options = options;
    this.target = options.target;
    this.#bytesAt = options.now();
    this.#loop = this.#work();
  }

  /** Ends the push; resolves when everything is released. May be called twice. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#attempt?.stop();
    await this.#loop;
  }

  async #work(): Promise<void> {
    const refresh = setInterval(() => this.#refresh(), refreshMs);
    for (let bus = await this.#nextBus(); bus; bus = await this.#nextBus()) {
      this.#step('began');
      const startedAt = this.#options.now();
      const end = await this.#try(bus);
      if (this.#ending.signal.aborted) break;
      if (end.isPlanned) this.#step('paused');
      else {
        this.#step('failed', end.reason);
        const { state, delayMs } = afterExit(this.#restarts, this.#options.now() - startedAt, policy);
        this.#restarts = state;
        await this.#pause(delayMs, bus);
      }
    }
    clearInterval(refresh);
    this.#step('stopped');
  }

  /** Waits for a bus and reports a long absence. Null when stopped. */
  async #nextBus(): Promise<PacketBus | null> {
    const { rendition } = this.#options;
    const { signal } = this.#ending;
    if (rendition.running && !signal.aborted) return rendition.running;
    this.#step('paused');
    const next = rendition.next(signal);
    const late = setInterval(() => {
      if (this.#state === 'waiting' && rendition.absentMs > absentMs) {
        this.#step('failed', rendition.absence);
      }
    }, 1_000);
    try {
      return await next;
    } finally {
      clearInterval(late);
    }
  }

  #try(bus: PacketBus): Promise<PushEnd> {
    const { target, stream, sockets, isOwn, now, rendition, whip } = this.#options;
    const destination = pushDestination(target.url);
    if (typeof destination === 'string') {
      const reason = targetMessage({ outcome: 'url_invalid', detail: destination }, noDestination);
      return Promise.resolve({ isPlanned: false, reason });
    }
    const { videoOnly } = target;
    const source = { ...stream, folder: rendition.folder ?? sourceProfile };
    const onFlowing = () => this.#step('flowing');
    this.#attempt =
      destination.kind === 'whip'
        ? new WhipAttempt({ destination, bus, source, videoOnly, whip, now, onFlowing })
        : new PushAttempt({ destination, bus, videoOnly, sockets, isOwn, now, onFlowing });
    this.#bytesBefore = 0;
    this.#bytesAt = now();
    return this.#attempt.done;
  }

  /** Waits between attempts. The end of the publish ends the wait, so that the next publish is tried immediately. */
  async #pause(delayMs: number, bus: PacketBus): Promise<void> {
    const { random = Math.random, rendition } = this.#options;
    const pauseEnd = new AbortController();
    const stop = rendition.onEnd(bus, () => pauseEnd.abort());
    const signal = AbortSignal.any([this.#ending.signal, pauseEnd.signal]);
    await pause(delayMs * (0.8 + 0.4 * random()), signal);
    stop();
  }

  #step(event: TargetEvent, error?: string): void {
    const next = targetMachine.next(this.#state, event);
    if (next === null) return;
    const hasChanged = next !== this.#state;
    this.#state = next;
    if (hasChanged) this.#report(error);
  }

  #refresh(): void {
    if (this.#state === 'connected' || this.#state === 'error') this.#report();
  }

  #report(error?: string): void {
    const state = this.#state;
    const bitrate = state === 'connected' ? this.#bitrate() : 0;
    this.#options.report({ state, bitrate, ...defined({ error }) });
  }

  /** Bits per second since the last call. */
  #bitrate(): number {
    const [bytes, now] = [this.#attempt?.bytes ?? 0, this.#options.now()];
    const rate = ((bytes - this.#bytesBefore) * 8_000) / Math.max(1, now - this.#bytesAt);
    [this.#bytesBefore, this.#bytesAt] = [bytes, now];
    return rate;
  }
}
