import { omitUndefined } from '@/lib/core/omit-undefined';
import { sourceProfile } from '@/lib/core/renditions/profile-rules';
import { formatTargetMessage } from '@/lib/core/targets/target-finding';
import { parseTargetUrl } from '@/lib/core/targets/target-url';
import { planRestart, initialRestartState, type RestartPolicy } from '@/lib/core/renditions/restart-backoff';
import { targetMachine, type TargetEvent, type TargetState } from '@/lib/core/targets/target-state';
import type { OpenTarget, TargetStatusReport } from '@/lib/domain/multistream';
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
  readonly report: (status: TargetStatusReport) => void;
  /** Returns a random number from 0 to 1, so that targets that failed together do not retry together. */
  readonly random?: () => number;
}

/** Destination for the message about an invalid URL. */
const noDestination = { kind: 'rtmp', host: '', port: 0 } as const;

const restartPolicy: RestartPolicy = {
  healthyAfterMs: 30_000,
  immediateRestarts: 0,
  firstDelayMs: 1_000,
  maxDelayMs: 30_000,
};
/** Interval at which the bitrate is reported, with the state, which the database may have missed. */
const REPORT_INTERVAL_MS = 5_000;
/** Time after the start of the source at which a missing rendition is reported. */
const ABSENCE_TIMEOUT_MS = 15_000;

/** Sends one rendition to one target, across publishes, failures and pauses, until it is stopped. */
export class TargetPush {
  readonly target: OpenTarget;
  readonly #options: TargetPushOptions;
  readonly #ending = new AbortController();
  readonly #loop: Promise<void>;
  #state: TargetState = 'disconnected';
  #attempt: Pick<PushAttempt, 'whenDone' | 'bytes' | 'stop'> | null = null;
  #restarts = initialRestartState;
  #reportedBytes = 0;
  #bytesReportedAtMs: number;

  constructor(options: TargetPushOptions) {
    this.#options = options;
    this.target = options.target;
    this.#bytesReportedAtMs = options.now();
    this.#loop = this.#run();
  }

  /** Ends the push; resolves when everything is released. May be called twice. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#attempt?.stop();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const refreshTimer = setInterval(() => this.#refresh(), REPORT_INTERVAL_MS);
    for (let bus = await this.#waitForBus(); bus; bus = await this.#waitForBus()) {
      this.#transition('began');
      const startedAtMs = this.#options.now();
      const end = await this.#attemptPush(bus);
      if (this.#ending.signal.aborted) break;
      if (end.isPlanned) this.#transition('paused');
      else {
        this.#transition('failed', end.reason);
        const { state, delayMs } = planRestart(
          this.#restarts,
          this.#options.now() - startedAtMs,
          restartPolicy,
        );
        this.#restarts = state;
        await this.#pause(delayMs, bus);
      }
    }
    clearInterval(refreshTimer);
    this.#transition('stopped');
  }

  /** Waits for a bus, and reports a long absence of the rendition; resolves with null when the push is stopped. */
  async #waitForBus(): Promise<PacketBus | null> {
    const { rendition } = this.#options;
    const { signal } = this.#ending;
    if (rendition.runningBus && !signal.aborted) return rendition.runningBus;
    this.#transition('paused');
    const nextBus = rendition.waitForBus(signal);
    const absenceTimer = setInterval(() => {
      if (this.#state === 'waiting' && rendition.absentMs > ABSENCE_TIMEOUT_MS) {
        this.#transition('failed', rendition.absenceReason);
      }
    }, 1_000);
    try {
      return await nextBus;
    } finally {
      clearInterval(absenceTimer);
    }
  }

  #attemptPush(bus: PacketBus): Promise<PushEnd> {
    const { target, stream, sockets, isOwn, now, rendition, whip } = this.#options;
    const destination = parseTargetUrl(target.url);
    if (typeof destination === 'string') {
      const reason = formatTargetMessage({ outcome: 'url_invalid', detail: destination }, noDestination);
      return Promise.resolve({ isPlanned: false, reason });
    }
    const { videoOnly } = target;
    const source = { ...stream, folder: rendition.folder ?? sourceProfile };
    const onFlowing = () => this.#transition('flowing');
    this.#attempt =
      destination.kind === 'whip'
        ? new WhipAttempt({ destination, bus, source, videoOnly, whip, now, onFlowing })
        : new PushAttempt({ destination, bus, videoOnly, sockets, isOwn, now, onFlowing });
    this.#reportedBytes = 0;
    this.#bytesReportedAtMs = now();
    return this.#attempt.whenDone;
  }

  /** Waits between attempts. The end of the bus ends the wait, so that the next publish is attempted immediately. */
  async #pause(delayMs: number, bus: PacketBus): Promise<void> {
    const { random = Math.random, rendition } = this.#options;
    const busEnd = new AbortController();
    const unsubscribe = rendition.onEnd(bus, () => busEnd.abort());
    const signal = AbortSignal.any([this.#ending.signal, busEnd.signal]);
    await pause(delayMs * (0.8 + 0.4 * random()), signal);
    unsubscribe();
  }

  #transition(event: TargetEvent, error?: string): void {
    const next = targetMachine.nextState(this.#state, event);
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
    this.#options.report({ state, bitrate, ...omitUndefined({ error }) });
  }

  /** Bits per second since the last call. */
  #bitrate(): number {
    const [bytes, now] = [this.#attempt?.bytes ?? 0, this.#options.now()];
    const rate = ((bytes - this.#reportedBytes) * 8_000) / Math.max(1, now - this.#bytesReportedAtMs);
    [this.#reportedBytes, this.#bytesReportedAtMs] = [bytes, now];
    return rate;
  }
}
