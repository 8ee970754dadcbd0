import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import type { PullFinding } from '@/lib/core/streams/pull/pull-finding';
import { pullSecrets, type PullSource } from '@/lib/core/streams/pull/pull-source';
import { EgressError } from '@/lib/infra/egress/egress-error';
import type { Logger } from '@/lib/infra/logger';
import { unlessAborted } from '@/lib/infra/unless-aborted';
import { pullPlan, pullScript } from '@/media-worker/media/ffmpeg/pull-args';
import { deleteOptionFile, writeOptionFile } from '@/media-worker/media/ffmpeg/push-args';
import { type FfmpegRun, runFfmpeg } from '@/media-worker/media/ffmpeg/run';
import { TsDemuxer } from '@/media-worker/media/mpegts/ts-demuxer';
import type { AudioCodec, MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { AdmitPublish, PublishEnd } from '@/media-worker/media/packets/publish';
import { RenditionSocket } from '@/media-worker/live/transcode/rendition-socket';
import { findingOfEgress, findingOfRun } from './find-fault';
import { openSource, type OpenSource, type PullClients } from './open-source';
import { PulledPublish } from './pulled-publish';

export interface PullAttemptOptions {
  readonly source: PullSource;
  /** Secret HTTP headers for the source. */
  readonly headers: Readonly<Record<string, string>>;
  readonly streamKey: string;
  readonly clients: PullClients;
  readonly admit: AdmitPublish;
  /** Whether audio is encoded as AAC, because it has another codec. */
  readonly encodesAudio: boolean;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Called once, when media flows and the stream accepts it. */
  readonly onFlowing: () => void;
  readonly log: Pick<Logger, 'warn'>;
  readonly limits?: Partial<PullLimits>;
}

/** Limits in milliseconds. */
export interface PullLimits {
  /** Maximum time from the start of ffmpeg to the first media. */
  readonly firstMediaTimeoutMs: number;
  /** Maximum time without media after the first media. */
  readonly stallTimeoutMs: number;
}

const defaultLimits: PullLimits = { firstMediaTimeoutMs: 20_000, stallTimeoutMs: 10_000 };

/**
 * `stopped`: `stop` was called. `audio`: the audio has to be encoded, which another attempt does. `failed`: the
 * source failed, or the stream does not accept its media.
 */
export type PullEnd =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'audio' }
  | { readonly kind: 'failed'; readonly finding: PullFinding };

/**
 * Limits of ffmpeg (memory in bytes, no files, normal priority), which reads data from any server. It needs the network for the
 * local relay or proxy and, with SRT, for the checked address.
 */
const sandbox = { memory: 2_000_000_000, fileSize: 0, nice: 0, network: true } as const;
/** Interval at which is checked whether media still arrives. */
const CHECK_INTERVAL_MS = 500;

/** One attempt to pull a stream: connection, ffmpeg, demuxer and publish, all closed when it ends. */
export class PullAttempt {
  /** Resolves when the attempt has ended. Rejects if this node fails, for example because its disk is full. */
  readonly whenDone: Promise<PullEnd>;
  readonly #options: PullAttemptOptions;
  readonly #limits: PullLimits;
  readonly #publish: PulledPublish;
  readonly #demuxer: TsDemuxer;
  readonly #stopping = new AbortController();
  #run: FfmpegRun | null = null;
  #lastMediaMs: number | null = null;
  #needsAudioEncoding = false;
  /** The reason why the attempt was given up. */
  #giveUpReason: PullFinding | null = null;

  constructor(options: PullAttemptOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    const { source, streamKey, admit, now } = options;
    this.#publish = new PulledPublish({
      admit,
      streamKey,
      now,
      host: source.host,
      onAdmitted: options.onFlowing,
      onEnd: (finding) => this.#giveUp(finding),
    });
    this.#demuxer = new TsDemuxer({
      onPacket: (packet) => this.#onPacket(packet),
      onTracks: (tracks, audioCodec) => this.#onTracks(tracks, audioCodec),
    });
    this.whenDone = this.#pullOnce().catch((error: unknown) => this.#onInternalError(error));
  }

  /** Process id of ffmpeg while it runs. */
  pid(): number | undefined {
    return this.#run?.pid();
  }

  /**
   * Stops the attempt. Idempotent.
   * @param reason reason for the end of the publish
   */
  async stop(reason: PublishEnd): Promise<void> {
    this.#stopping.abort();
    this.#publish.end(reason);
    void this.#run?.stop();
    await this.whenDone;
  }

  async #pullOnce(): Promise<PullEnd> {
    const { source, headers, clients } = this.#options;
    let openedSource: OpenSource | null = null;
    try {
      openedSource = await unlessAborted(
        openSource(source, { ...clients, headers }),
        this.#stopping.signal,
        (lateSource) => lateSource.close(),
      );
      if (!openedSource) return { kind: 'stopped' };
      return await this.#read(openedSource);
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      return this.#stopping.signal.aborted
        ? { kind: 'stopped' }
        : { kind: 'failed', finding: findingOfEgress(error, source) };
    } finally {
      openedSource?.close();
      this.#publish.end('lost');
    }
  }

  /** A fault of this machine, such as a full disk, is no fault of the source and no end of the pull. */
  #onInternalError(error: unknown): PullEnd {
    if (this.#stopping.signal.aborted) return { kind: 'stopped' };
    this.#options.log.warn({ err: error }, 'pull attempt failed');
    return { kind: 'failed', finding: { outcome: 'interrupted' } };
  }

  async #read(openedSource: OpenSource): Promise<PullEnd> {
    const { source, headers, encodesAudio } = this.#options;
    let scriptPath: string | null = null;
    const mediaSocket = await RenditionSocket.open({
      onData: (chunk) => this.#demux(chunk),
      onEnd: () => undefined,
    });
    const startedAtMs = this.#options.now();
    const checkTimer = setInterval(() => this.#checkMedia(startedAtMs), CHECK_INTERVAL_MS);
    try {
      scriptPath = await writeOptionFile(pullScript(openedSource.input));
      const plan = pullPlan({
        input: openedSource.input,
        script: scriptPath,
        socketPath: mediaSocket.path,
        encodesAudio,
      });
      const { signal } = this.#stopping;
      this.#run = runFfmpeg(plan, { sandbox, signal, secrets: pullSecrets(source, headers) });
      const result = await this.#run.whenDone;
      if (signal.aborted) return { kind: 'stopped' };
      this.#demuxer.end();
      if (this.#needsAudioEncoding) return { kind: 'audio' };
      const finding = this.#giveUpReason ?? openedSource.finding();
      const isFlowing = this.#lastMediaMs !== null;
      return { kind: 'failed', finding: finding ?? findingOfRun({ kind: source.kind, result, isFlowing }) };
    } finally {
      clearInterval(checkTimer);
      mediaSocket.close();
      if (scriptPath !== null) await deleteOptionFile(scriptPath);
    }
  }

  #demux(chunk: Buffer): void {
    if (this.#giveUpReason !== null || this.#needsAudioEncoding || this.#stopping.signal.aborted) return;
    this.#demuxer.push(chunk);
  }

  #onTracks(tracks: AnnouncedTracks, audioCodec: AudioCodec | null): void {
    this.#needsAudioEncoding = audioCodec !== null && audioCodec !== 'aac';
    if (this.#needsAudioEncoding) void this.#run?.stop();
    else this.#publish.announce(tracks);
  }

  #onPacket(packet: MediaPacket): void {
    if (this.#needsAudioEncoding) return;
    this.#lastMediaMs = this.#options.now();
    this.#publish.pushMedia(packet);
  }

  #checkMedia(startedAtMs: number): void {
    const monotonicMs = this.#options.now();
    if (this.#lastMediaMs === null) {
      if (monotonicMs - startedAtMs >= this.#limits.firstMediaTimeoutMs)
        this.#giveUp({ outcome: 'no_media' });
    } else if (monotonicMs - this.#lastMediaMs >= this.#limits.stallTimeoutMs)
      this.#giveUp({ outcome: 'media_stopped' });
  }

  #giveUp(reason: PullFinding): void {
    this.#giveUpReason ??= reason;
    void this.#run?.stop();
  }
}
