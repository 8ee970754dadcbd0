import { Readable } from 'node:stream';
import { backoffDelay } from '@/lib/core/backoff';
import { RenditionSocket } from '@/media-worker/live/transcode/rendition-socket';
import { planAacToOpus } from '@/media-worker/media/ffmpeg/opus-args';
import { runFfmpeg, type FfmpegRun } from '@/media-worker/media/ffmpeg/run';
import { encodeFlvHeader, encodeFlvTag } from '@/media-worker/media/packets/flv-writer';
import type { AudioPacket } from '@/media-worker/media/packets/media-packet';
import { OggReader } from '@/media-worker/media/packets/ogg-reader';
import { PacketQueue } from '@/media-worker/media/packets/packet-queue';

export interface OpusEncoderOptions {
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /**
   * Called with each Opus packet of 20 ms.
   * @param ptsMs presentation time on the timeline of the pushed packets
   */
  readonly onPacket: (payload: Buffer, ptsMs: number) => void;
  /** Called with a reason when encoding starts to fail, and with null when it works again. */
  readonly onStateChange: (reason: string | null) => void;
}

/** Limits of ffmpeg, which decodes untrusted audio: bytes of memory (one run takes 50 MB), no files, normal priority. */
const sandbox = { memory: 500_000_000, fileSize: 0, nice: 0 };
/** Maximum media that may wait for ffmpeg. */
const backlog = { packets: 512, bytes: 1024 * 1024, durationMs: 5_000 };
/** Delay before ffmpeg is restarted, ms. */
const restartBackoff = { firstDelay: 1_000, maxDelay: 30_000 };
/** A run that lasts longer than this resets the backoff. */
const STABLE_RUN_MS = 30_000;
const OPUS_PACKET_MS = 20;
/** Duration that libopus adds before the audio in its low-delay mode (RFC 7845 §4.2). */
const ENCODER_DELAY_MS = 2.5;
/** Number of Ogg packets before the audio: identification and comments (RFC 7845 §3). */
const HEADER_PACKETS = 2;
/** Audio that waited longer for the start of ffmpeg is dropped, because its video was shown already. */
const STALE_MS = 500;
/** Time without listeners until the encoder stops, so that a page reload needs no new encoder. */
const LINGER_MS = 8_000;

/** Encodes the AAC audio of a stream as Opus with one ffmpeg process, which is restarted when it ends. */
export class OpusEncoder {
  readonly #options: OpusEncoderOptions;
  #config: AudioPacket | null = null;
  /** Timestamp of the newest pushed frame, ms. */
  #newestMs = -Infinity;
  #job: OpusJob | null = null;
  #restartTimer: NodeJS.Timeout | undefined;
  #failureCount = 0;
  #failureReason: string | null = null;
  #isStarted = false;
  #stopTimer: NodeJS.Timeout | undefined;

  constructor(options: OpusEncoderOptions) {
    this.#options = options;
  }

  /** Starts encoding. May be called twice. */
  start(): void {
    clearTimeout(this.#stopTimer);
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#startJob();
  }

  push(packet: AudioPacket): void {
    if (packet.codec !== 'aac') return;
    if (packet.role === 'config') {
      const isChanged = this.#config !== null && !this.#config.payload.equals(packet.payload);
      this.#config = packet;
      if (isChanged) this.restart();
      else this.#startJob();
      return;
    }
    this.#newestMs = packet.dts;
    this.#job?.push(packet);
  }

  /** Restarts ffmpeg, because the following timestamps do not continue the previous ones. */
  restart(): void {
    void this.#job?.stop();
    this.#job = null;
    clearTimeout(this.#restartTimer);
    this.#startJob();
  }

  /** Stops encoding after `LINGER_MS`, unless `start` is called before. */
  stopLater(): void {
    clearTimeout(this.#stopTimer);
    if (this.#isStarted) this.#stopTimer = setTimeout(() => void this.stop(), LINGER_MS).unref();
  }

  /** Stops encoding; resolves when ffmpeg has ended. May be called twice. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    clearTimeout(this.#stopTimer);
    clearTimeout(this.#restartTimer);
    const job = this.#job;
    this.#job = null;
    await job?.stop();
  }

  #startJob(): void {
    if (!this.#isStarted || this.#job || !this.#config) return;
    const startedAtMs = this.#options.now();
    const job: OpusJob = new OpusJob(this.#config, (packet, ptsMs) => {
      if (this.#job !== job) return;
      this.#reportState(null);
      if (ptsMs > this.#newestMs - STALE_MS) this.#options.onPacket(packet, ptsMs);
    });
    this.#job = job;
    void job.whenDone.then((reason) => this.#onJobEnd(job, startedAtMs, reason));
  }

  #onJobEnd(job: OpusJob, startedAtMs: number, reason: string): void {
    if (this.#job !== job) return;
    this.#job = null;
    const wasStable = this.#options.now() - startedAtMs > STABLE_RUN_MS;
    this.#failureCount = wasStable ? 1 : this.#failureCount + 1;
    this.#reportState(reason);
    this.#restartTimer = setTimeout(() => this.#startJob(), backoffDelay(this.#failureCount, restartBackoff));
  }

  #reportState(reason: string | null): void {
    if (reason === this.#failureReason) return;
    this.#failureReason = reason;
    this.#options.onStateChange(reason);
  }
}

/** One ffmpeg process that encodes Opus. */
class OpusJob {
  /** Resolves with the reason why the run ended. Never rejects. */
  readonly whenDone: Promise<string>;
  readonly #config: AudioPacket;
  readonly #onPacket: (packet: Buffer, ptsMs: number) => void;
  readonly #queue = new PacketQueue(backlog);
  #wake: (() => void) | null = null;
  #run: FfmpegRun | null = null;
  #firstDtsMs: number | null = null;
  #packetCount = 0;
  #isStopped = false;

  constructor(config: AudioPacket, onPacket: (packet: Buffer, ptsMs: number) => void) {
    this.#config = config;
    this.#onPacket = onPacket;
    this.whenDone = this.#encode().catch(String);
  }

  push(packet: AudioPacket): void {
    this.#queue.add(packet);
    this.#wake?.();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake?.();
    await this.#run?.stop();
  }

  async #encode(): Promise<string> {
    const reader = new OggReader((packet) => this.#onOggPacket(packet));
    const onData = (chunk: Buffer) => {
      try {
        reader.push(chunk);
      } catch {
        // Malformed Ogg ends this run; the encoder then starts another one.
        void this.stop();
      }
    };
    const socket = await RenditionSocket.open({ onData, onEnd: () => undefined });
    try {
      if (this.#isStopped) return 'stopped';
      this.#run = runFfmpeg(planAacToOpus(socket.path), { stdin: Readable.from(this.#readFlv()), sandbox });
      const result = await this.#run.whenDone;
      return result.ok ? 'ffmpeg ended' : result.reason;
    } finally {
      this.#isStopped = true;
      socket.close();
    }
  }

  #onOggPacket(packet: Buffer): void {
    const audioPacketIndex = this.#packetCount - HEADER_PACKETS;
    this.#packetCount += 1;
    if (audioPacketIndex >= 0 && this.#firstDtsMs !== null)
      this.#onPacket(packet, this.#firstDtsMs + audioPacketIndex * OPUS_PACKET_MS - ENCODER_DELAY_MS);
  }

  async *#readFlv(): AsyncGenerator<Buffer, void, void> {
    yield encodeFlvHeader({ video: false, audio: true });
    yield encodeFlvTag({ ...this.#config, dts: 0, pts: 0 });
    while (!this.#isStopped) {
      const packet = this.#queue.take();
      if (packet) {
        this.#firstDtsMs ??= packet.dts;
        yield encodeFlvTag(packet, -this.#firstDtsMs);
      } else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
