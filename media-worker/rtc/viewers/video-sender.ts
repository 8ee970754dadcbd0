import type { VideoPacket } from '@/media-worker/media/packets/media-packet';
import { PacketQueue } from '@/media-worker/media/packets/packet-queue';

/** Receives frames, which are split into RTP packets later. */
export interface FrameSink {
  /**
   * @param timestamp RTP timestamp: 32 bits, 90 kHz
   * @returns whether the frame was sent
   */
  send(frame: Buffer, timestamp: number): boolean;
}

interface VideoSenderOptions {
  readonly sink: FrameSink;
  /** A random value that is added to all RTP timestamps (RFC 3550 §5.1). */
  readonly timestampOffset: number;
  /** Returns the newest keyframe and the frames after it, in order; empty if none are cached. Configurations are ignored. */
  readonly cachedFrames: () => readonly VideoPacket[];
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  readonly onDropped?: (frames: number) => void;
}

const TICKS_PER_MS = 90;
/** Maximum media that waits for one viewer: more than a GOP is never useful. */
const queueLimits = { packets: 2_048, bytes: 12 * 1024 * 1024, durationMs: 15_000 };
/** Maximum bytes sent in one burst. Further frames follow at the pace of `MIN_PACE_BYTES_PER_MS` or faster. */
const BURST_BYTES = 160 * 1024;
/** Lowest sending rate: 20 Mbit/s. */
const MIN_PACE_BYTES_PER_MS = 2_500;
/** Sending rate relative to the bitrate of the cached GOP. The GOP is then sent completely before the next one begins. */
const PACE_FACTOR = 4;
/** Delay until more frames are sent after a burst has used up the credit. */
const SEND_INTERVAL_MS = 5;
/** After sending a keyframe, requests within this time are ignored, because the keyframe may still be in transit. */
const IN_FLIGHT_MS = 400;
/** Shortest interval at which cached frames are sent again. */
const MIN_REPEAT_INTERVAL_MS = 2_000;
/** If the next keyframe is due within this time, cached frames are not sent again. */
const KEYFRAME_SOON_MS = 1_000;
/** A larger GOP is not sent again: it would delay the next keyframe. */
const MAX_REPEATED_BYTES = 2 * 1024 * 1024;

/**
 * Sends the video to one viewer: first the cached GOP, then each new frame. More than a burst is sent at a limited rate. If
 * the viewer is too slow, frames are dropped up to the next keyframe.
 */
export class VideoSender {
  readonly #options: VideoSenderOptions;
  #queue: PacketQueue;
  /** Ticks of the last frame, before `timestampOffset` is added. */
  #lastTicks: number | null = null;
  #paceBytesPerMs = MIN_PACE_BYTES_PER_MS;
  /** Bytes that may be sent now; grows with time. */
  #creditBytes = BURST_BYTES;
  /** Monotonic milliseconds at which `#creditBytes` was last computed. */
  #creditUpdatedAtMs: number;
  #timer: NodeJS.Timeout | undefined;
  #keyframeSentAtMs = -Infinity;
  #cacheRepeatedAtMs = -Infinity;
  #keyframeIntervalMs: number | null = null;
  #lastKeyframeDtsMs: number | null = null;
  #sendTimeOffsetMs: number | null = null;

  constructor(options: VideoSenderOptions) {
    this.#options = options;
    this.#creditUpdatedAtMs = options.now();
    this.#queue = this.#createQueue();
  }

  /**
   * Milliseconds to add to the presentation time of a frame to get the monotonic time at which it was sent; null
   * before the first frame.
   */
  get sendTimeOffsetMs(): number | null {
    return this.#sendTimeOffsetMs;
  }

  /** Number of frames that wait to be sent. */
  get queueLength(): number {
    return this.#queue.length;
  }

  /** Sends the cached frames. Called when the viewer has connected, or after media was missing. */
  start(): void {
    this.#queue.clear();
    this.#queue = this.#createQueue();
    this.#sendCached();
  }

  /** Queues a new frame. Configurations are ignored: the keyframes contain them. */
  push(frame: VideoPacket): void {
    if (frame.role === 'config') return;
    if (frame.key) {
      if (this.#lastKeyframeDtsMs !== null) this.#keyframeIntervalMs = frame.dts - this.#lastKeyframeDtsMs;
      this.#lastKeyframeDtsMs = frame.dts;
    }
    this.#queue.add(frame);
    this.#drain();
  }

  /**
   * Handles a keyframe request of the viewer (RTCP PLI or FIR). Frames before the next keyframe are useless to the viewer, so
   * the cached GOP is sent again, unless a keyframe is queued, in transit or due soon, or the GOP is too large.
   */
  onKeyframeRequest(): void {
    const monotonicMs = this.#options.now();
    // Queued frames begin with a keyframe, or follow one.
    if (monotonicMs - this.#keyframeSentAtMs < IN_FLIGHT_MS || this.#queue.length > 0) return;
    this.#queue.clear();
    this.#queue = this.#createQueue();
    if (monotonicMs - this.#cacheRepeatedAtMs < MIN_REPEAT_INTERVAL_MS) return;
    const cachedFrames = this.#options.cachedFrames();
    const cachedBytes = cachedFrames.reduce((sum, { payload }) => sum + payload.length, 0);
    if (cachedBytes > MAX_REPEATED_BYTES || this.#isKeyframeSoon(cachedFrames)) return;
    this.#cacheRepeatedAtMs = monotonicMs;
    this.#sendCached();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#queue.clear();
  }

  #createQueue(): PacketQueue {
    // A new queue accepts no frame before a keyframe.
    return new PacketQueue(queueLimits, this.#options.onDropped);
  }

  #isKeyframeSoon(cachedFrames: readonly VideoPacket[]): boolean {
    const [firstFrame, lastFrame] = [cachedFrames[0], cachedFrames.at(-1)];
    if (!firstFrame || !lastFrame || this.#keyframeIntervalMs === null) return false;
    return this.#keyframeIntervalMs - (lastFrame.dts - firstFrame.dts) < KEYFRAME_SOON_MS;
  }

  /**
   * Sends the cached frames with nearly the timestamp of the newest one. A player then shows the newest frame as
   * soon as it is decoded, and does not stay behind.
   */
  #sendCached(): void {
    const cachedFrames = this.#options.cachedFrames().filter(({ role }) => role === 'frame');
    const [firstFrame, lastFrame] = [cachedFrames[0], cachedFrames.at(-1)];
    if (!firstFrame || !lastFrame) return;
    const cachedBytes = cachedFrames.reduce((sum, { payload }) => sum + payload.length, 0);
    const spanMs = Math.max(1_000, lastFrame.dts - firstFrame.dts);
    this.#paceBytesPerMs = Math.max(MIN_PACE_BYTES_PER_MS, (cachedBytes / spanMs) * PACE_FACTOR);
    this.#lastKeyframeDtsMs = firstFrame.dts;
    for (const [index, frame] of cachedFrames.entries()) {
      const pts = lastFrame.pts - (cachedFrames.length - 1 - index) / TICKS_PER_MS;
      this.#queue.add({ ...frame, dts: pts, pts });
    }
    this.#drain();
  }

  #drain(): void {
    clearTimeout(this.#timer);
    const monotonicMs = this.#options.now();
    this.#creditBytes = Math.min(
      BURST_BYTES,
      this.#creditBytes + (monotonicMs - this.#creditUpdatedAtMs) * this.#paceBytesPerMs,
    );
    this.#creditUpdatedAtMs = monotonicMs;
    while (this.#queue.length > 0) {
      if (this.#creditBytes <= 0) {
        this.#timer = setTimeout(() => this.#drain(), SEND_INTERVAL_MS);
        return;
      }
      const frame = this.#queue.take();
      if (frame?.kind === 'video') this.#send(frame, monotonicMs);
    }
  }

  #send({ pts, key, payload }: VideoPacket, monotonicMs: number): void {
    const increasingTicks = Math.max(
      Math.round(pts * TICKS_PER_MS),
      this.#lastTicks === null ? -Infinity : this.#lastTicks + 1,
    );
    this.#lastTicks = increasingTicks;
    this.#creditBytes -= payload.length;
    if (key) this.#keyframeSentAtMs = monotonicMs;
    if (this.#options.sink.send(payload, toRtpTimestamp(this.#options.timestampOffset, increasingTicks)))
      this.#sendTimeOffsetMs = monotonicMs - pts;
  }
}

/**
 * The RTP timestamp of a presentation time. Frames of a cached GOP are sent with other timestamps (`VideoSender`).
 * @param ptsMs presentation time on the timeline of the stream
 */
export const toVideoRtpTimestamp = (timestampOffset: number, ptsMs: number): number =>
  toRtpTimestamp(timestampOffset, Math.round(ptsMs * TICKS_PER_MS));

/** Wraps ticks, which may exceed 32 bits or be negative, to an RTP timestamp. */
export const toRtpTimestamp = (timestampOffset: number, ticks: number): number =>
  ((((timestampOffset + ticks) % 2 ** 32) + 2 ** 32) % 2 ** 32) >>> 0;
