import { Readable } from 'node:stream';
import { backoffDelay } from '@/lib/core/backoff';
import { RenditionSocket } from '@/media-worker/live/transcode/rendition-socket';
import { aacToOpusPlan } from '@/media-worker/media/ffmpeg/opus-args';
import { runFfmpeg, type FfmpegRun } from '@/media-worker/media/ffmpeg/run';
import { flvHeader, flvTag } from '@/media-worker/media/packets/flv-writer';
import type { AudioPacket } from '@/media-worker/media/packets/media-packet';
import { OggReader } from '@/media-worker/media/packets/ogg-reader';
import { PacketQueue } from '@/media-worker/media/packets/packet-queue';

export interface OpusEncoderOptions {
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Called with each Opus packet of 20 ms. @param ms presentation time on the timeline of the pushed packets */
  readonly packet: (payload: Buffer, ms: number) => void;
  /** Called when encoding starts to fail, with the reason, and with null when it works again. */
  readonly trouble: (reason: string | null) => void;
}

/** ffmpeg decodes untrusted audio; one run takes 50 MB. */
const sandbox = { memory: 500_000_000, fileSize: 0, nice: 0 };
/** Maximum media that may wait for ffmpeg. */
const backlog = { packets: 512, bytes: 1024 * 1024, ms: 5_000 };
const restartBackoff = { first: 1_000, max: 30_000 };
/** A run of at least this duration counts as successful. */
const LASTING_MS = 30_000;
const PACKET_MS = 20;
/** Duration that libopus adds before the audio in its low-delay mode (RFC 7845 §4.2). */
const LEAD_MS = 2.5;
const HEADER_PACKETS = 2;
/** Audio that waited longer for the start of ffmpeg is dropped, because its video was shown already. */
const STALE_MS = 500;
/** Time without listeners until the encoder stops, so that a page reload needs no new one. */
const LINGER_MS = 8_000;

/** Encodes the AAC of a stream as Opus with one ffmpeg, which is restarted when it ends. */
export class OpusEncoder {
  readonly #options: OpusEncoderOptions;
  #config: AudioPacket | null = null;
  #newestMs = -Infinity;
  #job: OpusJob | null = null;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #reason: string | null = null;
  #isOn = false;
  #stopping: NodeJS.Timeout | undefined;

  constructor(options: OpusEncoderOptions) {
    this.#options = options;
  }

  /** Starts encoding. May be called twice. */
  start(): void {
    clearTimeout(this.#stopping);
    if (this.#isOn) return;
    this.#isOn = true;
    this.#begin();
  }

  push(packet: AudioPacket): void {
    if (packet.codec !== 'aac') return;
    if (packet.role === 'config') {
      const isOther = this.#config !== null && !this.#config.payload.equals(packet.payload);
      this.#config = packet;
      if (isOther) this.restart();
      else this.#begin();
      return;
    }
    this.#newestMs = packet.dts;
    this.#job?.push(packet);
  }

  /** Restarts ffmpeg, because the following timestamps do not continue the previous ones. */
  restart(): void {
    void this.#job?.stop();
    this.#job = null;
    clearTimeout(this.#timer);
    this.#begin();
  }

  /** Stops encoding soon, unless it is started again. */
  stopLater(): void {
    clearTimeout(this.#stopping);
    if (this.#isOn) this.#stopping = setTimeout(() => void this.stop(), LINGER_MS).unref();
  }

  /** Stops encoding; resolves when ffmpeg has ended. May be called twice. */
  async stop(): Promise<void> {
    this.#isOn = false;
    clearTimeout(this.#stopping);
    clearTimeout(this.#timer);
    const job = this.#job;
    this.#job = null;
    await job?.stop();
  }

  #begin(): void {
    if (!this.#isOn || this.#job || !this.#config) return;
    const startedAt = this.#options.now();
    const job: OpusJob = new OpusJob(this.#config, (packet, ms) => {
      if (this.#job !== job) return;
      this.#said(null);
      if (ms > this.#newestMs - STALE_MS) this.#options.packet(packet, ms);
    });
    this.#job = job;
    void job.done.then((reason) => this.#ended(job, startedAt, reason));
  }

  #ended(job: OpusJob, startedAt: number, reason: string): void {
    if (this.#job !== job) return;
    this.#job = null;
    const isLasting = this.#options.now() - startedAt > LASTING_MS;
    this.#failures = isLasting ? 1 : this.#failures + 1;
    this.#said(reason);
    this.#timer = setTimeout(() => this.#begin(), backoffDelay(this.#failures, restartBackoff));
  }

  #said(reason: string | null): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    this.#options.trouble(reason);
  }
}

/** One run of ffmpeg. */
class OpusJob {
  /** Resolves with the reason of the end. Never rejects. */
  readonly done: Promise<string>;
  readonly #config: AudioPacket;
  readonly #onPacket: (packet: Buffer, ms: number) => void;
  readonly #queue = new PacketQueue(backlog);
  #wake: (() => void) | null = null;
  #run: FfmpegRun | null = null;
  #originMs: number | null = null;
  #read = 0;
  #isStopped = false;

  constructor(config: AudioPacket, onPacket: (packet: Buffer, ms: number) => void) {
    this.#config = config;
    this.#onPacket = onPacket;
    this.done = this.#work().catch(String);
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

  async #work(): Promise<string> {
    const reader = new OggReader((packet) => this.#packet(packet));
    const data = (chunk: Buffer) => {
      try {
        reader.push(chunk);
      } catch {
        void this.stop();
      }
    };
    const socket = await RenditionSocket.open({ data, end: () => undefined });
    try {
      if (this.#isStopped) return 'stopped';
      this.#run = runFfmpeg(aacToOpusPlan(socket.path), { stdin: Readable.from(this.#flv()), sandbox });
      const result = await this.#run.done;
      return result.ok ? 'ffmpeg ended' : result.reason;
    } finally {
      this.#isStopped = true;
      socket.close();
    }
  }

  #packet(packet: Buffer): void {
    const index = this.#read - HEADER_PACKETS;
    this.#read += 1;
    if (index >= 0 && this.#originMs !== null)
      this.#onPacket(packet, this.#originMs + index * PACKET_MS - LEAD_MS);
  }

  async *#flv(): AsyncGenerator<Buffer, void, void> {
    yield flvHeader({ video: false, audio: true });
    yield flvTag({ ...this.#config, dts: 0, pts: 0 });
    while (!this.#isStopped) {
      const packet = this.#queue.take();
      if (packet) {
        this.#originMs ??= packet.dts;
        yield flvTag(packet, -this.#originMs);
      } else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
