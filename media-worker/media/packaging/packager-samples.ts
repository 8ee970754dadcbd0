import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import type { AudioSample, TrackSamples, VideoSample } from '@/media-worker/media/cmaf/media-part';

const MAX_DRIFT_MS = 100;

/**
 * Turns the rounded, jittering millisecond stamps of audio into exact sample times. Frames follow each other without
 * a seam while the stamps agree; when they drift apart, the stamps win, so that sound stays with the picture.
 */
export class AudioClock {
  readonly #timescale: number;
  readonly #samplesPerFrame: number;
  readonly #tolerance: number;
  #next: number | undefined;

  constructor(timescale: number, samplesPerFrame: number) {
    this.#timescale = timescale;
    this.#samplesPerFrame = samplesPerFrame;
    // At low rates a frame alone is longer than the drift an ear forgives.
    this.#tolerance = Math.max((MAX_DRIFT_MS * timescale) / 1000, 3 * samplesPerFrame);
  }

  /** Start of the frame in samples; undefined when its time is taken already and it has to be dropped. */
  place(ms: number): number | undefined {
    const stamped = Math.round((ms * this.#timescale) / 1000);
    const seamless = this.#next ?? stamped;
    const drift = stamped - seamless;
    if (drift < -this.#tolerance) return undefined;
    const start = drift > this.#tolerance ? stamped : seamless;
    this.#next = start + this.#samplesPerFrame;
    return start;
  }
}

const TICKS_PER_MS = VIDEO_TIMESCALE / 1000;
const FIRST_FRAME_MS = 33;

/** Durations are 32 bits wide. A frame before hours of nothing needs no more: the next part says its own time. */
const MAX_TICKS = 2 ** 32 - 1;

const ticks = (ms: number): number => Math.round(ms * TICKS_PER_MS);

/** A frame on the media timeline, in milliseconds. */
interface PlacedFrame {
  readonly dts: number;
  readonly pts: number;
  readonly key: boolean;
  readonly data: Buffer;
}

/** Video frames since the last part. The newest is held back until the next one gives its duration. */
export class VideoQueue {
  #finished: VideoSample[] = [];
  #start = 0;
  /** Where the newest finished frame ends. */
  #endTick = 0;
  #held: PlacedFrame | undefined;
  #nextMs = -Infinity;
  bytes = 0;
  /** Distance of the last two frames, ms. */
  frameMs = FIRST_FRAME_MS;

  get count(): number {
    return this.#finished.length;
  }

  /** Decode time of the newest frame, ms. */
  get lastMs(): number | undefined {
    return this.#held?.dts;
  }

  /** The earliest decode time of the frame that follows, ms. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** Where the picture ends if nothing follows, ms. */
  get endMs(): number {
    return this.#held ? this.#held.dts + this.frameMs : 0;
  }

  /** The held frame lasts until `ms`. */
  finishHeld(ms: number): void {
    if (this.#held) this.frameMs = ms - this.#held.dts;
    this.lastUntil(ms);
  }

  /** The same, and says nothing of how far apart frames usually are. */
  lastUntil(ms: number): void {
    const held = this.#held;
    if (!held) return;
    const start = ticks(held.dts);
    if (this.#finished.length === 0) this.#start = start;
    const duration = Math.min(ticks(ms) - start, MAX_TICKS);
    this.#endTick = start + duration;
    this.#finished.push({
      data: held.data,
      duration,
      compositionOffset: ticks(held.pts) - start,
      key: held.key,
    });
    this.#held = undefined;
  }

  hold(frame: PlacedFrame): void {
    this.#endAt(ticks(frame.dts));
    this.#held = frame;
    this.#nextMs = frame.dts + 1;
    this.bytes += frame.data.length;
  }

  /** The newest finished frame lasts no longer, unless it has left. */
  #endAt(tick: number): void {
    const last = this.#finished.pop();
    if (!last) return;
    const start = this.#endTick - last.duration;
    this.#endTick = Math.min(this.#endTick, tick);
    this.#finished.push({ ...last, duration: this.#endTick - start });
  }

  /** The finished frames leave; the held one stays. */
  take(): TrackSamples<VideoSample> | undefined {
    if (this.#finished.length === 0) return undefined;
    const samples = this.#finished;
    this.#finished = [];
    this.bytes = this.#held?.data.length ?? 0;
    return { start: this.#start, samples };
  }
}

interface TimedFrame {
  readonly start: number;
  readonly data: Buffer;
}

/**
 * Audio frames since the last part. The newest is held back, so that a gap behind it lengthens it instead of tearing.
 */
export class AudioQueue {
  readonly #timescale: number;
  readonly #samplesPerFrame: number;
  readonly #clock: AudioClock;
  #frames: TimedFrame[] = [];
  bytes = 0;

  constructor(timescale: number, samplesPerFrame: number) {
    this.#timescale = timescale;
    this.#samplesPerFrame = samplesPerFrame;
    this.#clock = new AudioClock(timescale, samplesPerFrame);
  }

  get count(): number {
    return this.#frames.length;
  }

  get frameMs(): number {
    return this.#ms(this.#samplesPerFrame);
  }

  get endMs(): number {
    const last = this.#frames.at(-1);
    return last ? this.#ms(last.start + this.#samplesPerFrame) : 0;
  }

  /** Start of the frame on the exact clock, ms; undefined when it came too late and was dropped. */
  push(ms: number, data: Buffer): number | undefined {
    const start = this.#clock.place(ms);
    if (start === undefined) return undefined;
    this.#frames.push({ start, data });
    this.bytes += data.length;
    return this.#ms(start);
  }

  /** Frames that begin before `ms` leave, the newest excepted. */
  takeBefore(ms: number): TrackSamples<AudioSample> | undefined {
    const later = this.#frames.findIndex((frame) => this.#ms(frame.start) >= ms);
    const before = later === -1 ? this.#frames.length : later;
    return this.#take(Math.min(before, this.#frames.length - 1));
  }

  takeAll(): TrackSamples<AudioSample> | undefined {
    return this.#take(this.#frames.length);
  }

  #take(count: number): TrackSamples<AudioSample> | undefined {
    const taken = this.#frames.slice(0, Math.max(0, count));
    const first = taken[0];
    if (!first) return undefined;
    this.#frames = this.#frames.slice(count);
    this.bytes = this.#frames.reduce((sum, frame) => sum + frame.data.length, 0);
    const samples = taken.map((frame, index) => {
      const next = taken[index + 1] ?? this.#frames[0];
      const duration = next ? next.start - frame.start : this.#samplesPerFrame;
      return { data: frame.data, duration: Math.min(duration, MAX_TICKS) };
    });
    return { start: first.start, samples };
  }

  #ms(samples: number): number {
    return (samples * 1000) / this.#timescale;
  }
}
