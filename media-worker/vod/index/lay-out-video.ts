import { type FrameRun, MAX_FRAME_SECONDS } from '@/lib/core/media/frame-plan';
import { MAX_CUT_SECONDS, MIN_SEGMENT_SECONDS } from '@/lib/core/media/segment-cuts';
import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import { NeedsConversion } from './needs-conversion';
import type { Reencoder, SourceVideo } from './reencode';
import { DistinctTimes, decodeDelayOf, isShownLast } from './reordering';
import { SampleList, MAX_SAMPLES } from './sample-list';

/** Location of a frame's bytes: in the asset's file, or after its index. */
export const sampleEntries = { source: 0, index: 1 } as const;

/** Interval at which a held frame is repeated, so that each segment contains it. */
const HOLD_INTERVAL_SECONDS = 6;
/** Maximum bytes of encoded frames in memory until the index is stored. */
const MAX_ENCODED_BYTES = 128 * 2 ** 20;
/** Maximum time before the first frame: browsers stall at the start if it is later. */
export const MAX_START_DELAY_SECONDS = 0.1;

/** The video frames of the HLS: times in `VIDEO_TIMESCALE`; `entry` is the location of their bytes. */
export interface VideoLayout {
  readonly samples: SampleList;
  /** Encoded frames, stored after the index. */
  readonly encodedFrames: Buffer[];
  /** End of the last frame in the presentation. */
  readonly endSeconds: number;
}

/** A video track and its entry points; see `findIdr` for `idr` and `keys`. */
export interface VideoSource {
  readonly video: SourceVideo;
  readonly idr: Uint8Array;
  readonly keys: Uint8Array;
  readonly reencoder: Reencoder;
  /** Bytes of earlier periods after the index. */
  readonly encodedAt: number;
}

/** A frame that can be repeated, because it needs no other frame. */
interface StillFrame {
  readonly offset: number;
  readonly size: number;
  readonly entry: number;
}

/**
 * Lays out the video frames of a plan: frames are copied, encoded, or held.
 * @param bounds presentation in seconds: the first and the last frame are held while there is only audio
 * @throws NeedsConversion, FfmpegFailed, FfmpegKilled, StorageError `full`
 */
export async function layOutVideo(
  plan: readonly FrameRun[],
  source: VideoSource,
  bounds: { readonly from: number; readonly to: number },
): Promise<VideoLayout> {
  const layout = new VideoLayoutBuilder(source);
  const [first] = plan;
  if (first && first.startSeconds - bounds.from > MAX_START_DELAY_SECONDS) {
    const firstShown = { ...first, toTicks: Math.min(first.toTicks, first.fromTicks + 1) };
    layout.hold(await layout.createStill(firstShown, first.firstFrame), bounds.from, first.startSeconds);
  }
  for (const [index, frameRun] of plan.entries()) {
    const nextRunSeconds = plan[index + 1]?.startSeconds ?? Math.max(frameRun.endSeconds, bounds.to);
    await layout.add(frameRun);
    const { shownAtSeconds, frame, pts } = layout.lastShown(frameRun);
    const isLast = index === plan.length - 1;
    const lastEndSeconds = Math.min(frameRun.endSeconds, shownAtSeconds + layout.lastIntervalSeconds());
    const isGapAfterLast = nextRunSeconds - lastEndSeconds > MAX_START_DELAY_SECONDS;
    const cannotBeExtended = isLast && !isShownLast(layout.samples) && isGapAfterLast;
    const isLong = nextRunSeconds - shownAtSeconds > MAX_FRAME_SECONDS;
    const cutSeconds =
      isLast && !isLong && !cannotBeExtended ? layout.cutInLastFrame(shownAtSeconds, nextRunSeconds) : null;
    if (!isLong && !cannotBeExtended && cutSeconds === null) continue;
    const still = await layout.createStill(
      { ...frameRun, fromTicks: pts, toTicks: pts + 1, lastFrame: Math.max(frameRun.lastFrame, frame) },
      frame,
    );
    const defaultStart = cannotBeExtended ? lastEndSeconds : shownAtSeconds + HOLD_INTERVAL_SECONDS;
    layout.hold(still, cutSeconds ?? defaultStart, nextRunSeconds);
  }
  return {
    samples: layout.samples,
    encodedFrames: layout.encodedFrames,
    endSeconds: Math.max(bounds.to, plan.at(-1)?.endSeconds ?? 0),
  };
}

class VideoLayoutBuilder {
  readonly samples = new SampleList({ samples: MAX_SAMPLES, fileSize: Infinity });
  readonly encodedFrames: Buffer[] = [];
  #encodedEnd: number;
  readonly #video: SourceVideo;
  readonly #idr: Uint8Array;
  readonly #keys: Uint8Array;
  readonly #reencoder: Reencoder;
  /** Ticks between decode and presentation time of frames without reordering, as in the file. */
  readonly #delayTicks: number;
  /** Ticks by which frames are decoded earlier than in a file that shows frames before their decode time. */
  readonly #earlyTicks: number;

  constructor({ video, idr, keys, reencoder, encodedAt }: VideoSource) {
    this.#encodedEnd = encodedAt;
    this.#video = video;
    this.#idr = idr;
    this.#keys = keys;
    this.#reencoder = reencoder;
    let earlyTicks = 0;
    for (let frame = 0; frame < video.samples.count; frame++)
      earlyTicks = Math.max(earlyTicks, -(video.samples.shift[frame] ?? 0));
    this.#earlyTicks = Math.ceil((earlyTicks / video.timescale) * VIDEO_TIMESCALE);
    this.#delayTicks =
      Math.round((decodeDelayOf(video, idr) / video.timescale) * VIDEO_TIMESCALE) + this.#earlyTicks;
  }

  /** Adds the frames of a run, which are copied or encoded. */
  async add(frameRun: FrameRun): Promise<void> {
    if (frameRun.kind === 'copy') this.#copy(frameRun);
    else
      for (const frame of await this.#reencoder.encode(frameRun)) {
        const pts = frameRun.fromTicks + frame.secondsAfter * this.#video.timescale;
        this.#addEncoded(frame, this.#presentationSecondsOf(frameRun, pts));
      }
  }

  /** Presentation time of a frame in a run, seconds. */
  #presentationSecondsOf({ startSeconds, shiftSeconds }: FrameRun, pts: number): number {
    return Math.max(startSeconds, shiftSeconds + pts / this.#video.timescale);
  }

  #copy(frameRun: FrameRun): void {
    const { firstFrame, lastFrame, shiftSeconds } = frameRun;
    const distinct = new DistinctTimes();
    const { samples, timescale } = this.#video;
    this.samples.reserve(lastFrame - firstFrame + 1);
    for (let frame = firstFrame; frame <= lastFrame; frame++) {
      const shownAtTicks = distinct.next(ticksOf(this.#presentationSecondsOf(frameRun, samples.pts(frame))));
      const dts = ticksOf(shiftSeconds + (samples.dts[frame] ?? 0) / timescale) - this.#earlyTicks;
      const [offset, size] = [samples.offset[frame] ?? 0, samples.size[frame] ?? 0];
      this.#push(
        { offset, size, entry: sampleEntries.source },
        { dts, shownAtTicks, key: this.#keys[frame] === 1 },
      );
    }
  }

  #addEncoded({ data, key }: { readonly data: Buffer; readonly key: boolean }, shownAtSeconds: number): void {
    this.samples.reserve(1);
    const shownAtTicks = ticksOf(shownAtSeconds);
    this.#push(this.#storeEncoded(data), { dts: shownAtTicks - this.#delayTicks, shownAtTicks, key });
  }

  #storeEncoded(data: Buffer): StillFrame {
    const offset = this.#encodedEnd;
    this.encodedFrames.push(data);
    this.#encodedEnd += data.length;
    if (this.#encodedEnd > MAX_ENCODED_BYTES) throw new NeedsConversion('too much of it has to be encoded');
    return { offset, size: data.length, entry: sampleEntries.index };
  }

  /** A frame that needs no other: copied from the file if it is a keyframe, otherwise encoded once. */
  async createStill(frameRun: FrameRun, frame: number): Promise<StillFrame> {
    const { samples } = this.#video;
    if (frameRun.kind === 'copy' && this.#idr[frame] === 1)
      return {
        offset: samples.offset[frame] ?? 0,
        size: samples.size[frame] ?? 0,
        entry: sampleEntries.source,
      };
    const firstFrame = this.#keyBefore(frame);
    const [encodedFrame] = await this.#reencoder.encode({ ...frameRun, kind: 'encode', firstFrame });
    if (!encodedFrame) throw new NeedsConversion('a frame to be held cannot be decoded');
    return this.#storeEncoded(encodedFrame.data);
  }

  #keyBefore(frame: number): number {
    let keyframe = frame;
    while (keyframe > 0 && this.#idr[keyframe] === 0) keyframe -= 1;
    return keyframe;
  }

  /** Repeats a frame every few seconds between two times, at least once. */
  hold(still: StillFrame, startSeconds: number, endSeconds: number): void {
    // Half a second before the end, another repetition would make a very short segment.
    const isDue = (seconds: number) => seconds === startSeconds || seconds < endSeconds - 0.5;
    for (let seconds = startSeconds; isDue(seconds); seconds += HOLD_INTERVAL_SECONDS) {
      this.samples.reserve(1);
      const shownAtTicks = ticksOf(seconds);
      this.#push(still, { dts: shownAtTicks - this.#delayTicks, shownAtTicks, key: true });
    }
  }

  /** The last frame shown by a run: its index in the file, its time in the presentation, and its time in ticks of the track. */
  lastShown(frameRun: FrameRun): { shownAtSeconds: number; frame: number; pts: number } {
    const { firstFrame, lastFrame, fromTicks, toTicks } = frameRun;
    const { samples } = this.#video;
    let [frame, pts] = [lastFrame, -Infinity];
    for (let sample = lastFrame; sample >= firstFrame; sample--) {
      const shownTicks = samples.pts(sample);
      if (shownTicks < toTicks && shownTicks > pts) [frame, pts] = [sample, shownTicks];
      // Frames are reordered only within a GOP.
      if (this.#idr[sample] === 1) break;
    }
    const shownPts = Math.max(pts, fromTicks);
    return { shownAtSeconds: this.#presentationSecondsOf(frameRun, shownPts), frame, pts: shownPts };
  }

  /** Seconds between the last two frames in decode order, which the frame shown last lasts if it is not decoded last. */
  lastIntervalSeconds(): number {
    const { dts, count } = this.samples;
    return ((dts[count - 1] ?? 0) - (dts[count - 2] ?? 0)) / VIDEO_TIMESCALE;
  }

  /**
   * The time at which the last frame is repeated, because the segment from the last keyframe to the end would be too long.
   * @returns seconds; null if the frame need not be repeated
   */
  cutInLastFrame(shownAtSeconds: number, endSeconds: number): number | null {
    const { key, count } = this.samples;
    let lastKeyframe = count - 1;
    while (lastKeyframe > 0 && key[lastKeyframe] !== 1) lastKeyframe -= 1;
    const latestCutSeconds = this.samples.pts(lastKeyframe) / VIDEO_TIMESCALE + MAX_CUT_SECONDS;
    const cutSeconds = Math.max(
      shownAtSeconds + MAX_START_DELAY_SECONDS,
      Math.min(latestCutSeconds, endSeconds - MIN_SEGMENT_SECONDS),
    );
    return endSeconds > latestCutSeconds && endSeconds - cutSeconds >= MIN_SEGMENT_SECONDS
      ? cutSeconds
      : null;
  }

  /** Adds a frame; decode times must increase. `setDurations` sets its duration later. */
  #push(
    frame: StillFrame,
    { dts, shownAtTicks, key }: { dts: number; shownAtTicks: number; key: boolean },
  ): void {
    const lastDts = this.samples.count === 0 ? -Infinity : (this.samples.dts[this.samples.count - 1] ?? 0);
    const increasingDts = Math.max(dts, lastDts + 1);
    this.samples.push({
      ...frame,
      dts: increasingDts,
      shift: shownAtTicks - increasingDts,
      duration: 0,
      key,
    });
  }
}

const ticksOf = (seconds: number): number => Math.round(seconds * VIDEO_TIMESCALE);
