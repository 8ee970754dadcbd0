import { type TargetFinding, formatTargetMessage } from '@/lib/core/targets/target-finding';
import { type MuxedDestination, secretsOf } from '@/lib/core/targets/target-url';
import { EgressError } from '@/lib/infra/egress/egress-error';
import type { EgressSockets } from '@/lib/infra/egress/egress-socket';
import { unlessAborted } from '@/lib/infra/unless-aborted';
import {
  pushPlan,
  pushSecrets,
  deleteOptionFile,
  writeOptionFile,
} from '@/media-worker/media/ffmpeg/push-args';
import { runFfmpeg, type FfmpegResult, type FfmpegRun } from '@/media-worker/media/ffmpeg/run';
import type { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { connectTarget } from './connect-target';
import { PushFeed } from './push-feed';
import { ReceiverProgress } from './receiver-progress';
import { findRedirect, MAX_REDIRECTS } from './target-redirect';
import type { Relay } from './relay';
import { isInterrupted, findingOfConnection, findingOfLoss, findingOfPublish } from './target-finding';

export interface PushAttemptOptions {
  readonly destination: MuxedDestination;
  readonly bus: PacketBus;
  readonly videoOnly: boolean;
  readonly sockets: EgressSockets;
  /** Whether an address is an ingest of this installation. */
  readonly isOwn: (destination: { address: string; port: number }) => Promise<boolean>;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Called once, when media starts to flow. */
  readonly onFlowing: () => void;
  readonly limits?: Partial<PushLimits>;
}

/** Limits in milliseconds. */
export interface PushLimits {
  readonly connectMs: number;
  /** Timeout from the start of ffmpeg until a second of media has been sent. */
  readonly flowingMs: number;
  /** Timeout for a receiver that takes none of the available data. */
  readonly stalledMs: number;
}

const defaultLimits: PushLimits = { connectMs: 5_000, flowingMs: 15_000, stalledMs: 10_000 };

/** Result of an attempt. `isPlanned`: the publish ended or its tracks changed, which is not an error. */
export type PushEnd = { readonly isPlanned: true } | { readonly isPlanned: false; readonly reason: string };

/**
 * Limits of ffmpeg (memory in bytes, no files, normal priority), which parses media of the encoder. It needs the network for the
 * relay or, with SRT, for the target.
 */
const sandbox = { memory: 2_000_000_000, fileSize: 0, nice: 0, network: true } as const;
/** Seconds of media that ffmpeg has sent when media counts as flowing. */
const FLOWING_SECONDS = 1;
/** Interval at which the progress of the push is checked. */
const CHECK_INTERVAL_MS = 250;
/**
 * Time that receiver and ffmpeg get to end cleanly. Then the connection is closed, and the receiver sees a lost
 * connection.
 */
const CLEAN_END_TIMEOUT_MS = 2_500;

/** One attempt to send one rendition to one target: connection, relay, feed and ffmpeg, all released at its end. */
export class PushAttempt {
  /** Resolves with the result when everything is released. Never rejects. */
  readonly whenDone: Promise<PushEnd>;
  readonly #options: PushAttemptOptions;
  readonly #limits: PushLimits;
  #feed: PushFeed;
  /** The destination of the target, or the destination of its last redirect. */
  #destination: MuxedDestination;
  readonly #ending = new AbortController();
  #relay: Relay | null = null;
  #run: FfmpegRun | null = null;
  #isFlowing = false;
  #secretsFile: string | null = null;
  #secretsDeletion: Promise<void> | null = null;
  /** The reason why this node gave up the attempt. */
  #fault: TargetFinding | null = null;

  constructor(options: PushAttemptOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#destination = options.destination;
    this.#feed = this.#newFeed();
    this.whenDone = this.#followRedirects();
  }

  /** Bytes handed to the receiver so far. */
  get bytes(): number {
    return this.#feed.bytes;
  }

  /** Process id of the sending ffmpeg, while it runs. */
  pid(): number | undefined {
    return this.#run?.pid();
  }

  /** Packets dropped because the receiver was too slow. */
  get dropped(): number {
    return this.#feed.dropped;
  }

  /** Ends the push cleanly; kills ffmpeg if it does not respond. May be called twice. */
  async stop(): Promise<void> {
    if (!this.#ending.signal.aborted) {
      this.#ending.abort();
      this.#feed.close();
      void this.#run?.stop();
      // A receiver that has not accepted media needs no clean end.
      if (!this.#isFlowing) this.#relay?.close();
      else setTimeout(() => this.#relay?.close(), CLEAN_END_TIMEOUT_MS).unref();
    }
    await this.whenDone;
  }

  #newFeed(): PushFeed {
    const { bus, videoOnly, now } = this.#options;
    return new PushFeed({ bus, videoOnly, now, isAudioFixed: this.#destination.kind === 'srt' });
  }

  /** Attempts the push, and follows redirects to other servers, whose addresses pass the same checks. */
  async #followRedirects(): Promise<PushEnd> {
    for (let redirectCount = 0; ; redirectCount++) {
      const end = await this.#attempt();
      const redirect = findRedirect(this.#destination, this.#relay);
      if (end.isPlanned || redirect === null || redirectCount === MAX_REDIRECTS) return end;
      this.#destination = redirect;
      this.#feed = this.#newFeed();
    }
  }

  async #attempt(): Promise<PushEnd> {
    try {
      const { sockets, isOwn } = this.#options;
      const destination = this.#destination;
      const timeoutMs = this.#limits.connectMs;
      this.#relay = null;
      const connection = await unlessAborted(
        connectTarget({ destination, sockets, isOwn, timeoutMs }),
        this.#ending.signal,
        ({ relay }) => relay?.close(),
      );
      if (!connection) return { isPlanned: true };
      const { address, relay } = connection;
      this.#relay = relay;
      const secretsFile = await writeOptionFile(pushSecrets(destination));
      [this.#secretsFile, this.#secretsDeletion] = [secretsFile, null];
      if (this.#ending.signal.aborted) return { isPlanned: true };
      // ffmpeg reads its options before it connects.
      void relay?.whenConnected.then(() => this.#deleteSecretsFile());
      return this.#endOf(await this.#push(address, secretsFile));
    } catch (error) {
      if (!(error instanceof EgressError)) return { isPlanned: false, reason: String(error) };
      return this.#failure(findingOfConnection(error, this.#destination));
    } finally {
      this.#feed.close();
      this.#relay?.close();
      await this.#deleteSecretsFile();
    }
  }

  async #push(address: string, secretsFile: string): Promise<FfmpegResult> {
    const { now, onFlowing } = this.#options;
    const destination = this.#destination;
    const startedAtMs = now();
    this.#run = runFfmpeg(pushPlan({ destination, address, secretsFile }), {
      stdin: this.#feed.stream,
      sandbox,
      secrets: secretsOf(destination),
      onProgress: ({ seconds }) => {
        if (this.#isFlowing || seconds < FLOWING_SECONDS) return;
        this.#isFlowing = true;
        void this.#deleteSecretsFile();
        onFlowing();
      },
    });
    const progress = new ReceiverProgress(now);
    let isChecking = false;
    const checkTimer = setInterval(() => {
      if (isChecking) return;
      isChecking = true;
      void this.#checkProgress(startedAtMs, progress).finally(() => (isChecking = false));
    }, CHECK_INTERVAL_MS);
    try {
      return await this.#run.whenDone;
    } finally {
      clearInterval(checkTimer);
    }
  }

  async #checkProgress(startedAtMs: number, progress: ReceiverProgress): Promise<void> {
    const sample = await this.#relay?.sample();
    // Over SRT, only the local side of the connection is known.
    const idleMs = Math.max(this.#feed.blockedMs, sample ? progress.addSample(sample) : 0);
    if (!this.#isFlowing) {
      if (this.#options.now() - startedAtMs > this.#limits.flowingMs) this.#giveUp({ outcome: 'no_media' });
    } else if (idleMs > this.#limits.stalledMs) this.#giveUp({ outcome: 'media_stopped' });
  }

  /**
   * Deletes the file with the secrets, which ffmpeg has read by then. Resolves for every caller when the file is
   * deleted.
   */
  async #deleteSecretsFile(): Promise<void> {
    if (this.#secretsFile !== null) await (this.#secretsDeletion ??= deleteOptionFile(this.#secretsFile));
  }

  #giveUp(fault: TargetFinding): void {
    if (this.#fault !== null) return;
    this.#fault = fault;
    this.#relay?.close();
    void this.#run?.stop();
  }

  #endOf(result: FfmpegResult): PushEnd {
    if (this.#fault !== null) return this.#failure(this.#fault);
    const isPlannedEnd = this.#ending.signal.aborted || this.#options.bus.ended || this.#feed.tracksChanged;
    if (isPlannedEnd) return { isPlanned: true };
    const relay = this.#relay;
    if (isInterrupted(result, relay?.lossReason ?? null)) return this.#failure({ outcome: 'interrupted' });
    const wasReset = relay !== null && relay.lossReason !== null && relay.lossReason !== 'closed';
    return this.#failure(
      this.#isFlowing || wasReset
        ? findingOfLoss(result, relay?.lossReason ?? null)
        : findingOfPublish(result, relay, false),
    );
  }

  #failure(finding: TargetFinding): PushEnd {
    return { isPlanned: false, reason: formatTargetMessage(finding, this.#destination) };
  }
}
