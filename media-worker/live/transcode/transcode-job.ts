import { setTimeout as delay } from 'node:timers/promises';
import { Readable } from 'node:stream';
import type { RenditionSpec } from '@/lib/core/renditions/ladder';
import { processCpuMs } from '@/lib/infra/machine-load';
import { metrics } from '@/lib/infra/metrics/metrics';
import { renditionPlan } from '@/media-worker/media/ffmpeg/rendition-args';
import { runFfmpeg, type FfmpegResult, type FfmpegRun } from '@/media-worker/media/ffmpeg/run';
import { RenditionSocket } from './rendition-socket';
import { FlvReader } from '@/media-worker/media/packets/flv-reader';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import type { BusReader } from '@/media-worker/media/packets/packet-queue';
import type { TimedPeriod } from '@/media-worker/media/packaging/rendition';
import type { RenditionFeed } from './rendition-feed';
import { transcodeInput, type TranscodeInput } from './transcode-input';

export interface JobRendition {
  readonly rendition: RenditionSpec;
  /** Called when the job is ready to run. */
  readonly open: () => RenditionFeed;
}

/** Maximum media that may wait for ffmpeg. Beyond it, packets are dropped up to the next keyframe, and counted. */
const BACKLOG = { ms: 8_000 };
/**
 * After the end of the source, ffmpeg may finish its frames as long as it keeps delivering: on a busy machine it starts
 * slowly, and the last segment takes longer than its duration. `finishSoon` shortens the limit.
 */
const drain = { checkIntervalMs: 500, silentMs: 4_000, maxMs: 24_000, usualMs: 2_000 };
/** Maximum time from the end of the source to the end of ffmpeg: the drain, and killing a stuck ffmpeg. */
export const maxEndMs = drain.maxMs + 6_000;
/** The largest source with five renditions needs a fraction of this. ffmpeg writes to sockets only. */
const sandbox = { memory: 8_000_000_000, fileSize: 0, nice: 0 };
/** How long a successor waits for the end of a segment: the source may not cut, or ffmpeg may hang. */
const handOverMs = 10_000;

/** One run of ffmpeg: reads the video of one period and returns all renditions on the media timeline. */
export class TranscodeJob {
  readonly period: TimedPeriod;
  readonly startedAt: number;
  /** Resolves when ffmpeg has ended and everything is released. Never rejects. */
  readonly done: Promise<FfmpegResult>;
  readonly #renditions: readonly JobRendition[];
  readonly #reader: BusReader;
  #feeds: readonly RenditionFeed[] = [];
  #run: FfmpegRun | null = null;
  #aborted = false;
  #leaving = false;
  #hurried = false;
  #newestMs = -Infinity;
  /** Frames received, of all renditions. */
  #frames = 0;
  /** Media time of the first frame, which is 0 for ffmpeg, and its display delay. */
  #origin: { readonly baseMs: number; readonly delayMs: number } | null = null;

  /** @param now monotonic milliseconds */
  constructor(period: TimedPeriod, renditions: readonly JobRendition[], now: number) {
    this.period = period;
    this.startedAt = now;
    this.#renditions = renditions;
    this.#reader = period.bus.reader(BACKLOG, (packets) =>
      metrics.droppedPackets.inc({ reader: 'transcoder' }, packets),
    );
    const unsubscribe = period.bus.subscribe({
      packet: (packet) => {
        if (packet.kind === 'video' && packet.role === 'frame') this.#newestMs = packet.dts;
      },
      end: () => void this.#drain(),
    });
    this.done = this.#work()
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
  get dropped(): number {
    return this.#reader.dropped;
  }

  /** Whether every rendition has delivered a frame. */
  get running(): boolean {
    return this.#feeds.length > 0 && this.#feeds.every(({ videoMs }) => Number.isFinite(videoMs));
  }

  /** CPU time of the ffmpeg; null without a process. */
  get cpuMs(): number | null {
    const pid = this.#run?.pid();
    return pid === undefined ? null : processCpuMs(pid);
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  /**
   * Hands these renditions over to another job, each at the end of its segment. All other renditions end immediately, and
   * ffmpeg ends with the last rendition.
   */
  leaveTo(names: readonly string[]): void {
    for (const [index, feed] of this.#feeds.entries()) {
      const name = this.#renditions[index]?.rendition.name;
      if (name === undefined || !names.includes(name)) feed.end(false);
    }
    this.#leaving = true;
    setTimeout(() => this.abort(), handOverMs).unref();
    this.#leaveWhenOver();
  }

  /** Stops immediately and drops unfinished segments. May be called twice; `done` resolves at the end. */
  abort(): void {
    this.#aborted = true;
    for (const feed of this.#feeds) feed.end(false);
    this.#reader.close();
    void this.#run?.stop();
  }

  /** Shortens the wait for the last frames after the end of the source, because a caller waits for `done`. */
  finishSoon(): void {
    this.#hurried = true;
  }

  async #work(): Promise<FfmpegResult> {
    const sockets: RenditionSocket[] = [];
    try {
      this.#feeds = this.#renditions.map(({ open }) => open());
      for (const feed of this.#feeds) sockets.push(await this.#listen(feed));
      if (this.#aborted) return { ok: true };
      const outputs = this.#renditions.map(({ rendition }, index) => ({
        rendition,
        socketPath: sockets[index]?.path ?? '',
      }));
      const { video } = this.period.tracks;
      if (!video) return { ok: true };
      const input = transcodeInput(video);
      this.#run = runFfmpeg(renditionPlan(outputs, input), {
        stdin: Readable.from(this.#input(input)),
        sandbox,
      });
      return await this.#run.done;
    } finally {
      this.#reader.close();
      for (const socket of sockets) socket.close();
      for (const feed of this.#feeds) feed.end(false);
    }
  }

  #listen(feed: RenditionFeed): Promise<RenditionSocket> {
    const reader = new FlvReader((packet) => this.#output(feed, packet));
    return RenditionSocket.open({
      data: (chunk) => reader.push(chunk),
      // An unexpected exit within a period is a crash.
      end: () => feed.end(this.period.bus.ended && !this.#aborted),
    });
  }

  /** The video with timestamps from 0; the audio bypasses ffmpeg. */
  async *#input(input: TranscodeInput): AsyncGenerator<Buffer, void, void> {
    yield input.head;
    for await (const packet of this.#reader) {
      if (packet.kind === 'audio') for (const feed of this.#feeds) feed.audio(packet);
      else {
        const shiftMs = packet.role === 'config' ? 0 : -this.#originOf(packet).baseMs;
        yield* input.packet(packet, shiftMs);
      }
    }
  }

  #originOf(first: VideoPacket): { readonly baseMs: number; readonly delayMs: number } {
    const { dts, pts } = first;
    return (this.#origin ??= { baseMs: Math.min(dts, pts), delayMs: pts - dts });
  }

  /** The encoder does not reorder frames, so decode times are display times, shifted back to those of the source. */
  #output(feed: RenditionFeed, packet: MediaPacket): void {
    if (packet.kind !== 'video' || !this.#origin) return;
    this.#frames++;
    const pts = packet.pts + this.#origin.baseMs;
    feed.video({ ...packet, pts, dts: pts - this.#origin.delayMs });
    this.#leaveWhenOver();
  }

  #leaveWhenOver(): void {
    if (this.#leaving && !this.#aborted && this.#feeds.every(({ over }) => over)) this.abort();
  }

  async #drain(): Promise<void> {
    let [waitedMs, silent] = [0, 0];
    const over = () => silent >= drain.silentMs || waitedMs >= (this.#hurried ? drain.usualMs : drain.maxMs);
    while (!over()) {
      const framesBefore = this.#frames;
      await delay(drain.checkIntervalMs, undefined, { ref: false });
      waitedMs += drain.checkIntervalMs;
      const isSilent = this.#frames > 0 && this.#frames === framesBefore;
      silent = isSilent ? silent + drain.checkIntervalMs : 0;
    }
    void this.#run?.stop();
  }
}
