import { type TargetFinding, formatTargetMessage } from '@/lib/core/targets/target-finding';
import type { WhipDestination } from '@/lib/core/targets/whip-url';
import { metrics } from '@/lib/infra/metrics/metrics';
import { unlessAborted } from '@/lib/infra/unless-aborted';
import type { PacketBus } from '@/media-worker/media/packets/packet-bus';
import type { PushEnd } from './push-attempt';
import { pause } from './target-reports';
import type { AskWhip, WhipReply } from './whip-requests';

/** Access to the rtc process, which has the WebRTC connections. */
export interface WhipLink {
  readonly ask: AskWhip;
  /** Returns the internal URL of this process. */
  readonly url: () => string;
}

/** The rendition whose packets are sent. */
export interface PushedRendition {
  readonly streamId: string;
  readonly playbackId: string;
  readonly folder: string;
}

export interface WhipAttemptOptions {
  readonly destination: WhipDestination;
  readonly source: PushedRendition;
  /** The attempt ends with this bus. */
  readonly bus: PacketBus;
  readonly videoOnly: boolean;
  readonly whip: WhipLink;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Called once, when media starts to flow. */
  readonly onFlowing: () => void;
}

const PROGRESS_INTERVAL_MS = 1_000;
/** Timeout from the start of the push until media flows. */
const FLOW_TIMEOUT_MS = 15_000;
/** Timeout for a receiver that reports no new packets although some are sent. */
const STALL_TIMEOUT_MS = 10_000;

/** One attempt to send one rendition to a WHIP endpoint. The process `rtc` has the connection. */
export class WhipAttempt {
  /** Resolves with the result when everything is released. Never rejects. */
  readonly whenDone: Promise<PushEnd>;
  readonly #options: WhipAttemptOptions;
  readonly #ending = new AbortController();
  #bytes = 0;
  #isFlowing = false;

  constructor(options: WhipAttemptOptions) {
    this.#options = options;
    this.whenDone = this.#run();
  }

  /** Bytes of media that were sent so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Stops the attempt; resolves when it has ended. May be called twice. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.whenDone;
  }

  async #run(): Promise<PushEnd> {
    const { destination, source, bus, whip, videoOnly } = this.#options;
    const { url, token } = destination;
    const unsubscribe = bus.subscribe({ packet: () => undefined, end: () => this.#ending.abort() });
    try {
      const request = { kind: 'open', url, token, live: whip.url(), ...source, videoOnly } as const;
      // A push that opens after the attempt was stopped is closed.
      const reply = await unlessAborted(whip.ask(request), this.#ending.signal, ({ id }) => {
        if (id !== null) void this.#close(id);
      });
      if (!reply) return { isPlanned: true };
      if (reply.id === null) return this.#failure(reply.finding ?? { outcome: 'interrupted' });
      return await this.#watch(reply.id);
    } catch {
      return this.#failure({ outcome: 'interrupted' });
    } finally {
      unsubscribe();
    }
  }

  async #close(id: string): Promise<void> {
    await this.#options.whip.ask({ kind: 'close', id }).catch(() => undefined);
  }

  async #watch(id: string): Promise<PushEnd> {
    const { now, whip } = this.#options;
    const { signal } = this.#ending;
    const startedAtMs = now();
    try {
      for (;;) {
        await pause(PROGRESS_INTERVAL_MS, signal);
        if (signal.aborted) return { isPlanned: true };
        const reply = await unlessAborted(whip.ask({ kind: 'progress', id }), signal);
        if (!reply) return { isPlanned: true };
        const finding = this.#checkProgress(reply, now() - startedAtMs);
        if (finding) return this.#failure(finding);
      }
    } finally {
      await this.#close(id);
    }
  }

  #checkProgress({ id, finding, bytes, stalledMs }: WhipReply, elapsedMs: number): TargetFinding | null {
    const hasProgress = bytes > this.#bytes;
    if (hasProgress) metrics.multistreamBytes.inc(bytes - this.#bytes);
    this.#bytes = Math.max(bytes, this.#bytes);
    if (finding) return finding;
    if (id === null) return { outcome: 'interrupted' };
    if (stalledMs > STALL_TIMEOUT_MS) return { outcome: this.#isFlowing ? 'media_stopped' : 'no_media' };
    if (!this.#isFlowing && hasProgress) {
      this.#isFlowing = true;
      this.#options.onFlowing();
    }
    return !this.#isFlowing && elapsedMs > FLOW_TIMEOUT_MS ? { outcome: 'no_media' } : null;
  }

  #failure(finding: TargetFinding): PushEnd {
    if (this.#ending.signal.aborted) return { isPlanned: true };
    return { isPlanned: false, reason: formatTargetMessage(finding, this.#options.destination) };
  }
}
