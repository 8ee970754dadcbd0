import { setTimeout as delay } from 'node:timers/promises';
import { Readable } from 'node:stream';
import type { RenditionSpec } from '@/lib/core/renditions/ladder';
import { processCpuMs } from '@/lib/infra/machine-load';
import { metrics } from '@/lib/infra/metrics/metrics';
import { planRenditions } from '@/media-worker/media/ffmpeg/rendition-args';
import { runFfmpeg, type FfmpegResult, type FfmpegRun } from '@/media-worker/media/ffmpeg/run';
import { RenditionSocket } from './rendition-socket';
import { FlvReader } from '@/media-worker/media/packets/flv-reader';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import type { BusReader } from '@/media-worker/media/packets/packet-queue';
import type { TimedPeriod } from '@/media-worker/media/packaging/rendition';
import type { RenditionFeed } from './rendition-feed';
import { createTranscodeInput, type TranscodeInput } from './transcode-input';

export interface JobRendition {
  readonly rendition: RenditionSpec;
  /** Opens the feed of the rendition. Called when the job starts. */
  readonly open: () => RenditionFeed;
}

/** Maximum media that may wait for ffmpeg. Beyond it, packets are dropped up to the next keyframe, and counted. */
const BACKLOG = { durationMs: 8_000 };
/**
 * Limits for the frames that remain after the end of the source. ffmpeg may finish them as long as it keeps
 * delivering: on a busy machine, it starts slowly and the last segment takes longer than its duration. After
 * `finishSoon`, `finishSoonMaxMs` applies instead of `maxMs`.
 */
const drainLimits = { checkIntervalMs: 500, silentMs: 4_000, maxMs: 24_000, finishSoonMaxMs: 2_000 };
/** Maximum time from the end of the source to the end of ffmpeg: the drain, and killing a stuck ffmpeg. */
export const maxEndMs = drainLimits.maxMs + 6_000;
/** The largest source with five renditions needs a fraction of this. ffmpeg writes to sockets only. */
const sandbox = { memory: 8_000_000_000, fileSize: 0, nice: 0 };
/** Timeout for handing over renditions at the end of a segment, because the source may not cut, or ffmpeg may hang. */
const HAND_OVER_TIMEOUT_MS = 10_000;

/** One run of ffmpeg: reads the video of one period and returns all renditions on the media timeline. */
export class TranscodeJob {
  readonly period: TimedPeriod;
  readonly startedAtMs: number;
  /** Resolves when ffmpeg has ended and everything is released. Never rejects. */
  readonly whenDone: Promise<FfmpegResult>;
  readonly #renditions: readonly JobRendition[];
  readonly #reader: BusReader;
  #feeds: readonly RenditionFeed[] = [];
  #run: FfmpegRun | null = null;
  #isAborted = false;
  #isHandingOver = false;
  #isFinishingSoon = false;
  /** Decode time of the newest frame of the source, ms. */
  #newestMs = -Infinity;
  /** Number of frames received, of all renditions. */
  #frameCount = 0;
  /** Media time of the first frame, which is 0 for ffmpeg, and its display delay. */
  #origin: { readonly baseMs: number; readonly delayMs: number } | null = null;

  /** @param now monotonic milliseconds */
  constructor(period: TimedPeriod, renditions: readonly JobRendition[], now: number) {
    this.period = period;
    this.startedAtMs = now;
    this.#renditions = renditions;
    this.#reader = period.bus.openReader(BACKLOG, (packets) =>
      metrics.droppedPackets.inc({ reader: 'transcoder' }, packets),
    );
    const unsubscribe = period.bus.subscribe({
      packet: (packet) => {
        if (packet.kind === 'video' && packet.role === 'frame') this.#newestMs = packet.dts;
      },
      end: () => void this.#drain(),
    });
    this.whenDone = this.#transcode()
      .catch((error: unknown) => ({ ok: false as const, reason: String(error) }))
      .finally(unsubscribe);
  }

  /** How far the slowest rendition is behind the source, ms, including the start of ffmpeg. */
  get lagMs(): number {
    const encodedMs = Math.min(...this.#feeds.map(({ videoMs }) => videoMs));
    if (Number.isFinite(encodedMs)) return this.#newestMs - encodedMs;
    return this.#origin ? this.#newestMs - this.#origin.baseMs : 0;
  }

  /** Number of frames dropped because ffmpeg was too slow. */
  get droppedFrames(): number {
    return this.#reader.droppedCount;
  }

  /** Whether every rendition has delivered a frame. */
  get isDelivering(): boolean {
    return this.#feeds.length > 0 && this.#feeds.every(({ videoMs }) => Number.isFinite(videoMs));
  }

  /** CPU time of ffmpeg, ms; null without a process. */
  get cpuMs(): number | null {
    const pid = this.#run?.pid();
    return pid === undefined ? null : processCpuMs(pid);
  }

  get isAborted(): boolean {
    return this.#isAborted;
  }

  /**
   * Hands these renditions over to another job, each at the end of its segment. All other renditions end
   * immediately, and ffmpeg ends with the last rendition, or after `HAND_OVER_TIMEOUT_MS`.
   */
  handOver(names: readonly string[]): void {
    for (const [index, feed] of this.#feeds.entries()) {
      const name = this.#renditions[index]?.rendition.name;
      if (name === undefined || !names.includes(name)) feed.end(false);
    }
    this.#isHandingOver = true;
    setTimeout(() => this.abort(), HAND_OVER_TIMEOUT_MS).unref();
    this.#endWhenHandedOver();
  }

  /** Stops immediately and drops unfinished segments. May be called twice; `whenDone` resolves at the end. */
  abort(): void {
    this.#isAborted = true;
    for (const feed of this.#feeds) feed.end(false);
    this.#reader.close();
    void this.#run?.stop();
  }

  /** Shortens the wait for the last frames after the end of the source, because a caller waits for `whenDone`. */
  finishSoon(): void {
    this.#isFinishingSoon = true;
  }

  async #transcode(): Promise<FfmpegResult> {
    const sockets: RenditionSocket[] = [];
    try {
      this.#feeds = this.#renditions.map(({ open }) => open());
      for (const feed of this.#feeds) sockets.push(await this.#listen(feed));
      if (this.#isAborted) return { ok: true };
      const outputs = this.#renditions.map(({ rendition }, index) => ({
        rendition,
        socketPath: sockets[index]?.path ?? '',
      }));
      const { video } = this.period.tracks;
      if (!video) return { ok: true };
      const input = createTranscodeInput(video);
      this.#run = runFfmpeg(planRenditions(outputs, input), {
        stdin: Readable.from(this.#createInput(input)),
        sandbox,
      });
      return await this.#run.whenDone;
    } finally {
      this.#reader.close();
      for (const socket of sockets) socket.close();
      for (const feed of this.#feeds) feed.end(false);
    }
  }

  #listen(feed: RenditionFeed): Promise<RenditionSocket> {
    const reader = new FlvReader((packet) => this.#onOutput(feed, packet));
    return RenditionSocket.open({
      onData: (chunk) => reader.push(chunk),
      // If ffmpeg exits within a period, it has crashed, and the unfinished segment is dropped.
      onEnd: () => feed.end(this.period.bus.ended && !this.#isAborted),
    });
  }

  /** The video with timestamps from 0; the audio bypasses ffmpeg. */
  async *#createInput(input: TranscodeInput): AsyncGenerator<Buffer, void, void> {
    yield input.header;
    for await (const packet of this.#reader) {
      if (packet.kind === 'audio') for (const feed of this.#feeds) feed.pushAudio(packet);
      else {
        const shiftMs = packet.role === 'config' ? 0 : -this.#establishOrigin(packet).baseMs;
        yield* input.convert(packet, shiftMs);
      }
    }
  }

  #establishOrigin(first: VideoPacket): { readonly baseMs: number; readonly delayMs: number } {
    const { dts, pts } = first;
    return (this.#origin ??= { baseMs: Math.min(dts, pts), delayMs: pts - dts });
  }

  /** The encoder does not reorder frames, so decode times are display times, shifted back to those of the source. */
  #onOutput(feed: RenditionFeed, packet: MediaPacket): void {
    if (packet.kind !== 'video' || !this.#origin) return;
    this.#frameCount++;
    const pts = packet.pts + this.#origin.baseMs;
    feed.pushVideo({ ...packet, pts, dts: pts - this.#origin.delayMs });
    this.#endWhenHandedOver();
  }

  #endWhenHandedOver(): void {
    if (this.#isHandingOver && !this.#isAborted && this.#feeds.every(({ isOver: over }) => over))
      this.abort();
  }

  async #drain(): Promise<void> {
    let [waitedMs, silentMs] = [0, 0];
    const isOver = () =>
      silentMs >= drainLimits.silentMs ||
      waitedMs >= (this.#isFinishingSoon ? drainLimits.finishSoonMaxMs : drainLimits.maxMs);
    while (!isOver()) {
      const framesBefore = this.#frameCount;
      await delay(drainLimits.checkIntervalMs, undefined, { ref: false });
      waitedMs += drainLimits.checkIntervalMs;
      const isSilent = this.#frameCount > 0 && this.#frameCount === framesBefore;
      silentMs = isSilent ? silentMs + drainLimits.checkIntervalMs : 0;
    }
    void this.#run?.stop();
  }
}
