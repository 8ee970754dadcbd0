import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import type { AudioSample, TrackSamples, VideoSample } from '@/media-worker/media/cmaf/media-part';
import type { VideoPacket } from '@/media-worker/media/packets/media-packet';

/** Difference between timestamps and sample times up to which frames stay contiguous. */
const MAX_DRIFT_MS = 100;

/**
 * Turns the rounded, jittering millisecond timestamps of audio into exact sample times. Frames are contiguous
 * while the timestamps agree; when they drift apart, the timestamps win, so that audio stays in sync with video.
 */
export class AudioClock {
  readonly #timescale: number;
  readonly #samplesPerFrame: number;
  readonly #toleranceTicks: number;
  #nextTicks: number | undefined;

  constructor(timescale: number, samplesPerFrame: number) {
    this.#timescale = timescale;
    this.#samplesPerFrame = samplesPerFrame;
    // At low sample rates a single frame is longer than an audible drift.
    this.#toleranceTicks = Math.max((MAX_DRIFT_MS * timescale) / 1000, 3 * samplesPerFrame);
  }

  /**
   * Start of the frame in samples; undefined if an earlier frame already covers this time, so the frame must be
   * dropped.
   */
  place(ms: number): number | undefined {
    const stampTicks = Math.round((ms * this.#timescale) / 1000);
    const expectedTicks = this.#nextTicks ?? stampTicks;
    const drift = stampTicks - expectedTicks;
    if (drift < -this.#toleranceTicks) return undefined;
    const start = drift > this.#toleranceTicks ? stampTicks : expectedTicks;
    this.#nextTicks = start + this.#samplesPerFrame;
    return start;
  }
}

const TICKS_PER_MS = VIDEO_TIMESCALE / 1000;
/** Duration of the first frame, which is assumed before the second one arrives. */
const FIRST_FRAME_MS = 33;

/** Durations have 32 bits, enough for a frame before a long pause, because the next part has its own time. */
const MAX_TICKS = 2 ** 32 - 1;

const toTicks = (ms: number): number => Math.round(ms * TICKS_PER_MS);

/** A frame on the media timeline. */
type PlacedFrame = Pick<VideoPacket, 'dts' | 'pts' | 'key' | 'payload'>;

/** A sample whose end may still change. */
interface OpenSample extends VideoSample {
  duration: number;
}

/** Video frames since the last part. The newest frame is held until the next one sets its duration. */
export class VideoQueue {
  #frames: OpenSample[] = [];
  #startTicks = 0;
  /** End of the newest finished frame. */
  #lastEndTicks = 0;
  #heldFrame: PlacedFrame | undefined;
  #nextMs = -Infinity;
  #maxPtsMs = -Infinity;
  /** Payload bytes of all frames, including the held one. */
  bytes = 0;
  /** Distance between the last two frames, ms. */
  frameMs = FIRST_FRAME_MS;

  get count(): number {
    return this.#frames.length;
  }

  /** Decode time of the newest frame, ms. */
  get lastMs(): number | undefined {
    return this.#heldFrame?.dts;
  }

  /** The earliest possible decode time of the next frame, ms. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** The end of the video if no further frame arrives, ms; 0 if no frame is held. */
  get endMs(): number {
    return this.#heldFrame ? this.#heldFrame.dts + this.frameMs : 0;
  }

  /** Latest presentation time plus one frame, ms. With B-frames, this is later than the end of the last decoded frame. */
  get presentationEndMs(): number {
    return this.#maxPtsMs + this.frameMs;
  }

  /** Ends the held frame at `ms`, and measures the frame distance. */
  finishHeld(ms: number): void {
    if (this.#heldFrame) this.frameMs = ms - this.#heldFrame.dts;
    this.endHeldFrame(ms);
  }

  /** Ends the held frame at `ms` without measuring the frame distance. */
  endHeldFrame(ms: number): void {
    const heldFrame = this.#heldFrame;
    if (!heldFrame) return;
    const start = toTicks(heldFrame.dts);
    if (this.#frames.length === 0) this.#startTicks = start;
    const duration = Math.min(toTicks(ms) - start, MAX_TICKS);
    this.#lastEndTicks = start + duration;
    this.#frames.push({
      data: heldFrame.payload,
      duration,
      compositionOffset: toTicks(heldFrame.pts) - start,
      key: heldFrame.key,
    });
    this.#heldFrame = undefined;
  }

  /** Adds a frame whose duration is not known yet. */
  hold(frame: PlacedFrame): void {
    this.#shortenLastTo(toTicks(frame.dts));
    this.#heldFrame = frame;
    this.#nextMs = frame.dts + 1;
    this.#maxPtsMs = Math.max(this.#maxPtsMs, frame.pts);
    this.bytes += frame.payload.length;
  }

  /** Ends the newest finished frame at `endTicks` if it lasts longer and was not taken yet. */
  #shortenLastTo(endTicks: number): void {
    const last = this.#frames.at(-1);
    if (!last) return;
    const start = this.#lastEndTicks - last.duration;
    this.#lastEndTicks = Math.min(this.#lastEndTicks, endTicks);
    last.duration = this.#lastEndTicks - start;
  }

  /** Takes the finished frames; the held frame stays. */
  takeSamples(): TrackSamples<VideoSample> | undefined {
    if (this.#frames.length === 0) return undefined;
    const samples = this.#frames;
    this.#frames = [];
    this.bytes = this.#heldFrame?.payload.length ?? 0;
    return { start: this.#startTicks, samples };
  }
}

/** An audio frame on the media timeline. */
interface TimedFrame {
  /** Start in samples. */
  readonly start: number;
  readonly data: Buffer;
}

/** Audio frames since the last part. The newest frame is held, so that a gap after it extends it. */
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
    return this.#toMs(this.#samplesPerFrame);
  }

  get endMs(): number {
    const last = this.#frames.at(-1);
    return last ? this.#toMs(last.start + this.#samplesPerFrame) : 0;
  }

  /**
   * Adds a frame with this timestamp.
   * @returns its start on the exact clock, ms; undefined if the frame was too late and is dropped
   */
  push(ms: number, data: Buffer): number | undefined {
    const start = this.#clock.place(ms);
    if (start === undefined) return undefined;
    this.#frames.push({ start, data });
    this.bytes += data.length;
    return this.#toMs(start);
  }

  /** Takes the frames that begin before `ms`, except the newest. */
  takeSamplesBefore(ms: number): TrackSamples<AudioSample> | undefined {
    const laterIndex = this.#frames.findIndex((frame) => this.#toMs(frame.start) >= ms);
    const earlierCount = laterIndex === -1 ? this.#frames.length : laterIndex;
    return this.#takeSamples(Math.min(earlierCount, this.#frames.length - 1));
  }

  /**
   * Takes all frames. The last one lasts until `ms` at least: Media Source Extensions drop the video of a GOP if the audio
   * after it starts more than two frame durations later.
   */
  takeAllSamples(ms: number): TrackSamples<AudioSample> | undefined {
    return this.#takeSamples(this.#frames.length, Math.round((ms * this.#timescale) / 1000));
  }

  #takeSamples(count: number, endSample = 0): TrackSamples<AudioSample> | undefined {
    const takenFrames = this.#frames.splice(0, Math.max(0, count));
    const first = takenFrames[0];
    if (!first) return undefined;
    this.bytes = this.#frames.reduce((sum, frame) => sum + frame.data.length, 0);
    const samples = takenFrames.map((frame, index) => {
      const next = takenFrames[index + 1] ?? this.#frames[0];
      const duration = next ? next.start - frame.start : this.#lastDuration(endSample - frame.start);
      return { data: frame.data, duration: Math.min(duration, MAX_TICKS) };
    });
    return { start: first.start, samples };
  }

  /**
   * Duration of the last frame, in samples. A frame that fills a gap lasts a millisecond longer, because the timestamp of the
   * frame after it is rounded.
   */
  #lastDuration(remainingSamples: number): number {
    const fillsGap = remainingSamples > this.#samplesPerFrame;
    const minDuration = this.#samplesPerFrame + (fillsGap ? Math.ceil(this.#timescale / 1000) : 0);
    return Math.max(minDuration, remainingSamples);
  }

  #toMs(samples: number): number {
    return (samples * 1000) / this.#timescale;
  }
}
