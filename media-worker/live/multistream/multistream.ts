import type { SystemContext } from '@/lib/domain/context';
import type { EgressSockets } from '@/lib/infra/egress/egress-socket';
import { isWhipUrl } from '@/lib/core/targets/whip-url';
import { openTargets, type OpenTarget } from '@/lib/domain/multistream';
import { isOwnIngest } from './own-ingest';
import { TargetReports, pause } from './target-reports';
import { RenditionBus } from './rendition-bus';
import { TargetPush } from './target-push';
import type { WhipLink } from './whip-attempt';
import type { AuthorizedPublish } from '@/lib/domain/streams';
import type {
  SessionFeature,
  FeatureHost,
  StartFeature,
} from '@/media-worker/media/packaging/session-feature';

export interface MultistreamOptions {
  readonly ctx: SystemContext;
  readonly nodeId: string;
  readonly sockets: EgressSockets;
  readonly whip: WhipLink;
}

/**
 * Creates the feature that sends the renditions of a live session to the multistream targets of its stream. Each
 * target has its own ffmpeg, or its own WebRTC connection.
 */
export function createMultistream(options: MultistreamOptions): StartFeature {
  return (host) => new Multistream(options, host);
}

const RETRY_DELAY_MS = 1_000;

interface TargetOutput {
  readonly target: OpenTarget;
  readonly rendition: RenditionBus;
  /** The push; null until the previous push of the same target and profile has ended. */
  push: TargetPush | null;
}

class Multistream implements SessionFeature {
  readonly #options: MultistreamOptions;
  readonly #host: FeatureHost;
  /** Running pushes by target id and profile. */
  readonly #outputs = new Map<string, TargetOutput>();
  /** Writers of the status, by target id and profile, which outlive a push so that its reports stay in order. */
  readonly #reports = new Map<string, TargetReports>();
  /**
   * Pending starts and stops by target id and profile. They run one after another, because a platform accepts one
   * publisher per stream key.
   */
  readonly #steps = new Map<string, Promise<void>>();
  #playbackId = '';
  #hasChanges = false;
  #synchronizing: Promise<void> | null = null;
  readonly #closing = new AbortController();

  constructor(options: MultistreamOptions, host: FeatureHost) {
    this.#options = options;
    this.#host = host;
  }

  follow({ playbackId }: AuthorizedPublish): void {
    if (this.#isClosed) return;
    this.#playbackId = playbackId;
    this.#hasChanges = true;
    this.#synchronizing ??= this.#synchronize();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#synchronizing;
    for (const key of [...this.#outputs.keys()]) this.#stop(key);
    // The end of the publish marks all targets disconnected in one transaction.
    const closing = [...this.#reports.values()].map((reports) => reports.close());
    await Promise.all([...this.#steps.values(), ...closing]);
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Starts and stops pushes to match the targets of the stream, until the targets no longer change. */
  async #synchronize(): Promise<void> {
    let isFailing = false;
    while (this.#hasChanges && !this.#isClosed) {
      this.#hasChanges = false;
      try {
        this.#matchPushes(await openTargets(this.#options.ctx, this.#host.streamId));
        isFailing = false;
      } catch (error) {
        // An outage is logged once.
        if (!isFailing) this.#host.log.warn({ err: error }, 'multistream targets not loaded; retrying');
        isFailing = true;
        this.#hasChanges = true;
        await pause(RETRY_DELAY_MS, this.#closing.signal);
      }
    }
    this.#synchronizing = null;
  }

  /** Stops the pushes of targets that are gone or changed, and starts the missing ones. */
  #matchPushes(targets: readonly OpenTarget[]): void {
    if (this.#isClosed) return;
    const byKey = new Map(targets.map((target) => [keyOf(target), target]));
    for (const [key, { target }] of [...this.#outputs]) {
      const newTarget = byKey.get(key);
      if (!newTarget || newTarget.url !== target.url || newTarget.videoOnly !== target.videoOnly)
        this.#stop(key);
    }
    for (const [key, target] of byKey) if (!this.#outputs.has(key)) this.#start(key, target);
  }

  #start(key: string, target: OpenTarget): void {
    const { ctx, nodeId, sockets, whip } = this.#options;
    const { streamId, renditions } = this.#host;
    const now = () => ctx.clock.monotonic();
    const { targetId, profile } = target;
    const reports = this.#reports.get(key) ?? new TargetReports(ctx);
    this.#reports.set(key, reports);
    const rendition = new RenditionBus(profile, renditions, now, {
      // WebRTC has no B-frames.
      acceptsReordering: !isWhipUrl(target.url),
    });
    const output: TargetOutput = { target, rendition, push: null };
    const startPush = () => {
      // The targets may have changed while this start waited.
      if (this.#isClosed || this.#outputs.get(key) !== output) return;
      output.push = new TargetPush({
        target,
        sockets,
        whip,
        stream: { streamId, playbackId: this.#playbackId },
        now,
        rendition,
        isOwn: (destination) => isOwnIngest(destination, ctx),
        report: (status) => reports.add({ streamId, targetId, profile, nodeId, ...status }),
      });
    };
    this.#outputs.set(key, output);
    this.#enqueue(key, startPush);
  }

  #stop(key: string): void {
    const output = this.#outputs.get(key);
    this.#outputs.delete(key);
    if (!output) return;
    this.#enqueue(key, async () => {
      await output.push?.stop();
      output.rendition.close();
    });
  }

  #enqueue(key: string, step: () => Promise<void> | void): void {
    const nextStep = (this.#steps.get(key) ?? Promise.resolve()).then(step).catch((error: unknown) => {
      this.#host.log.error({ err: error }, 'multistream push failed');
    });
    this.#steps.set(key, nextStep);
  }
}

const keyOf = ({ targetId, profile }: OpenTarget): string => `${targetId} ${profile}`;
