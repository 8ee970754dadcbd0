import { type TargetFinding, targetMessage } from '@/lib/core/targets/target-test';
import type { WhipDestination } from '@/lib/core/targets/whip-url';
import { metrics } from '@/lib/infra/metrics/metrics';
import type { PacketBus } from '@/media-worker/media/packets/packet-bus';
import type { PushEnd } from './push-attempt';
import { pause } from './target-reports';
import type { AskWhip, WhipReply } from './whip-requests';

/** The way to the process that has WebRTC connections. */
export interface WhipLink {
  readonly ask: AskWhip;
  /** Returns the address of this process. */
  readonly url: () => string;
}

/** Names the packets that are sent. */
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
  /** Called once, when media flows. */
  readonly onFlowing: () => void;
}

const LOOK_MS = 1_000;
const FLOWING_MS = 15_000;
const STALLED_MS = 10_000;

/** One attempt to send one rendition to a WHIP endpoint. The process `rtc` has the connection. */
export class WhipAttempt {
  /** Never rejects. */
  readonly done: Promise<PushEnd>;
  readonly #options: WhipAttemptOptions;
  readonly #ending = new AbortController();
  #bytes = 0;
  #isFlowing = false;

  constructor(options: WhipAttemptOptions) {
    this.#options = options;
    this.done = this.#go();
  }

  /** Bytes of media that were sent so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** May be called twice. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.done;
  }

  async #go(): Promise<PushEnd> {
    const { destination, source, bus, whip, videoOnly } = this.#options;
    const { url, token } = destination;
    const stopListening = bus.subscribe({ packet: () => undefined, end: () => this.#ending.abort() });
    try {
      const open = { kind: 'open', url, token, live: whip.url(), ...source, videoOnly } as const;
      const opened = await this.#unlessStopped(whip.ask(open));
      if (!opened) return { isPlanned: true };
      if (opened.id === null) return this.#failed(opened.finding ?? { outcome: 'interrupted' });
      return await this.#watch(opened.id);
    } catch {
      return this.#failed({ outcome: 'interrupted' });
    } finally {
      stopListening();
    }
  }

  /** Null when the attempt is stopped first; what is opened then is closed. */
  async #unlessStopped(opening: Promise<WhipReply>): Promise<WhipReply | null> {
    const { signal } = this.#ending;
    const stopped = new Promise<null>((resolve) => {
      if (signal.aborted) resolve(null);
      else signal.addEventListener('abort', () => resolve(null), { once: true });
    });
    const opened = await Promise.race([opening, stopped]);
    if (!opened) opening.then(({ id }) => (id === null ? undefined : this.#close(id))).catch(() => undefined);
    return opened;
  }

  async #close(id: string): Promise<void> {
    await this.#options.whip.ask({ kind: 'close', id }).catch(() => undefined);
  }

  async #watch(id: string): Promise<PushEnd> {
    const { now, whip } = this.#options;
    const { signal } = this.#ending;
    const startedAt = now();
    try {
      for (;;) {
        await pause(LOOK_MS, signal);
        if (signal.aborted) return { isPlanned: true };
        const reply = await whip.ask({ kind: 'progress', id });
        const finding = this.#judge(reply, now() - startedAt);
        if (finding) return this.#failed(finding);
      }
    } finally {
      await this.#close(id);
    }
  }

  #judge({ id, finding, bytes, stalledMs }: WhipReply, sinceMs: number): TargetFinding | null {
    const isMoving = bytes > this.#bytes;
    if (isMoving) metrics.multistreamBytes.inc(bytes - this.#bytes);
    this.#bytes = Math.max(bytes, this.#bytes);
    if (finding) return finding;
    if (id === null) return { outcome: 'interrupted' };
    if (stalledMs > STALLED_MS) return { outcome: this.#isFlowing ? 'media_stopped' : 'no_media' };
    if (!this.#isFlowing && isMoving) {
      this.#isFlowing = true;
      this.#options.onFlowing();
    }
    return !this.#isFlowing && sinceMs > FLOWING_MS ? { outcome: 'no_media' } : null;
  }

  #failed(finding: TargetFinding): PushEnd {
    if (this.#ending.signal.aborted) return { isPlanned: true };
    return { isPlanned: false, reason: targetMessage(finding, this.#options.destination) };
  }
}
