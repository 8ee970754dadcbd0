import { type PictureRun, longestFrameSeconds } from '@/lib/core/media/picture-plan';
import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import { NeedsConversion } from './needs-conversion';
import type { Reencoder, SourceVideo } from './reencode';
import { SampleList, maxSamples } from './sample-list';

/** Where the bytes of a frame are: in the asset's file, or after its index. */
export const sampleEntries = { source: 0, index: 1 } as const;

/** A held frame is repeated at this interval, once per segment. */
const heldSeconds = 6;
/** Most bytes in memory until the index is stored. */
const maxEncodedBytes = 128 * 2 ** 20;
/** Most frames that an H.264 decoder holds back. */
export const maxReordered = 16;
/** Browsers stall at the start if the first picture is later than this. */
export const latestStartSeconds = 0.1;

/** The frames of the HLS: times in `VIDEO_TIMESCALE`; `entry` says where their bytes are. */
export interface LaidOutPicture {
  readonly samples: SampleList;
  /** Encoded frames, stored after the index. */
  readonly encodedFrames: Buffer[];
  /** Where the last frame ends, seconds. */
  readonly end: number;
}

/** `idr`, `keys`: see `findIdr`. */
export interface PictureSource {
  readonly video: SourceVideo;
  readonly idr: Uint8Array;
  readonly keys: Uint8Array;
  readonly reencoder: Reencoder;
}

/** A frame that can be repeated. */
interface StillFrame {
  readonly offset: number;
  readonly size: number;
  readonly entry: number;
}

/** @param bounds presentation in seconds: the first and the last picture are held where there is only sound */
export async function layOutPicture(
  plan: readonly PictureRun[],
  { video, idr, keys, reencoder }: PictureSource,
  bounds: { readonly from: number; readonly to: number },
): Promise<LaidOutPicture> {
  const layout = new PictureLayout({ video, idr, keys, reencoder });
  const [first] = plan;
  if (first && first.at - bounds.from > latestStartSeconds) {
    const firstShown = { ...first, to: Math.min(first.to, first.from + 1) };
    layout.hold(await layout.still(firstShown, first.first), bounds.from, first.at);
  }
  for (const [index, pictureRun] of plan.entries()) {
    const next = plan[index + 1]?.at ?? Math.max(pictureRun.until, bounds.to);
    await layout.add(pictureRun);
    const { shownAt, frame, pts } = layout.latest(pictureRun);
    const isLast = index === plan.length - 1;
    const cannotLast = isLast && !isShownLast(layout.samples) && next - pictureRun.until > latestStartSeconds;
    if (next - shownAt <= longestFrameSeconds && !cannotLast) continue;
    const still = await layout.still(
      { ...pictureRun, from: pts, to: pts + 1, last: Math.max(pictureRun.last, frame) },
      frame,
    );
    layout.hold(still, cannotLast ? pictureRun.until : shownAt + heldSeconds, next);
  }
  return {
    samples: layout.samples,
    encodedFrames: layout.encodedFrames,
    end: Math.max(bounds.to, plan.at(-1)?.until ?? 0),
  };
}

class PictureLayout {
  readonly samples = new SampleList({ samples: maxSamples, fileSize: Infinity });
  readonly encodedFrames: Buffer[] = [];
  #encodedBytes = 0;
  readonly #video: SourceVideo;
  readonly #idr: Uint8Array;
  readonly #keys: Uint8Array;
  readonly #reencoder: Reencoder;
  /** Ticks between decode and presentation time of frames without reordering, as in the file. */
  readonly #delay: number;
  /** Ticks by which frames are decoded earlier than in the file, which shows some before it decodes them. */
  readonly #early: number;

  constructor({ video, idr, keys, reencoder }: PictureSource) {
    this.#video = video;
    this.#idr = idr;
    this.#keys = keys;
    this.#reencoder = reencoder;
    let [delay, early] = [0, 0];
    for (let frame = 0; frame < video.samples.count; frame++) {
      const shift = video.samples.shift[frame] ?? 0;
      if (idr[frame] === 1) delay = Math.max(delay, shift);
      early = Math.max(early, -shift);
    }
    this.#early = Math.ceil((early / video.timescale) * VIDEO_TIMESCALE);
    this.#delay = Math.round((delay / video.timescale) * VIDEO_TIMESCALE) + this.#early;
  }

  async add(pictureRun: PictureRun): Promise<void> {
    if (pictureRun.kind === 'copy') this.#copy(pictureRun);
    else
      for (const frame of await this.#reencoder.encode(pictureRun))
        this.#addEncoded(
          frame,
          this.#presented(pictureRun, pictureRun.from + frame.secondsAfter * this.#video.timescale),
        );
  }

  /** Presentation time of a frame in a run, seconds. */
  #presented({ at, shift }: PictureRun, pts: number): number {
    return Math.max(at, shift + pts / this.#video.timescale);
  }

  #copy(pictureRun: PictureRun): void {
    const { first, last, shift } = pictureRun;
    const { samples, timescale } = this.#video;
    this.samples.reserve(last - first + 1);
    for (let frame = first; frame <= last; frame++) {
      const shownAt = ticksOf(this.#presented(pictureRun, samples.pts(frame)));
      const dts = ticksOf(shift + (samples.dts[frame] ?? 0) / timescale) - this.#early;
      const [offset, size] = [samples.offset[frame] ?? 0, samples.size[frame] ?? 0];
      this.#push(
        { offset, size, entry: sampleEntries.source },
        { dts, shownAt, key: this.#keys[frame] === 1 },
      );
    }
  }

  #addEncoded({ data, key }: { readonly data: Buffer; readonly key: boolean }, at: number): void {
    this.samples.reserve(1);
    const shownAt = ticksOf(at);
    this.#push(this.#keep(data), { dts: shownAt - this.#delay, shownAt, key });
  }

  #keep(data: Buffer): StillFrame {
    const offset = this.#encodedBytes;
    this.encodedFrames.push(data);
    this.#encodedBytes += data.length;
    if (this.#encodedBytes > maxEncodedBytes) throw new NeedsConversion('too much of it has to be encoded');
    return { offset, size: data.length, entry: sampleEntries.index };
  }

  /** A frame that needs no other: the file's own if it is a keyframe, otherwise encoded once. */
  async still(pictureRun: PictureRun, frame: number): Promise<StillFrame> {
    const { samples } = this.#video;
    if (pictureRun.kind === 'copy' && this.#idr[frame] === 1)
      return {
        offset: samples.offset[frame] ?? 0,
        size: samples.size[frame] ?? 0,
        entry: sampleEntries.source,
      };
    const first = this.#keyBefore(frame);
    const [only] = await this.#reencoder.encode({ ...pictureRun, kind: 'encode', first });
    if (!only) throw new NeedsConversion('a frame to be held cannot be decoded');
    return this.#keep(only.data);
  }

  #keyBefore(frame: number): number {
    let keyframe = frame;
    while (keyframe > 0 && this.#idr[keyframe] === 0) keyframe -= 1;
    return keyframe;
  }

  /** Shows the frame at least once. */
  hold(still: StillFrame, from: number, until: number): void {
    for (let at = from; at === from || at < until - 0.5; at += heldSeconds) {
      this.samples.reserve(1);
      const shownAt = ticksOf(at);
      this.#push(still, { dts: shownAt - this.#delay, shownAt, key: true });
    }
  }

  /** The frame that a run shows last. */
  latest(pictureRun: PictureRun): { shownAt: number; frame: number; pts: number } {
    const { first, last, from, to } = pictureRun;
    const { samples } = this.#video;
    let [frame, pts] = [last, -Infinity];
    for (let sample = last; sample >= first; sample--) {
      const shownTicks = samples.pts(sample);
      if (shownTicks < to && shownTicks > pts) [frame, pts] = [sample, shownTicks];
      // Frames are reordered within a GOP only.
      if (this.#idr[sample] === 1) break;
    }
    return { shownAt: this.#presented(pictureRun, Math.max(pts, from)), frame, pts: Math.max(pts, from) };
  }

  #push(frame: StillFrame, { dts, shownAt, key }: { dts: number; shownAt: number; key: boolean }): void {
    const lastDts = this.samples.count === 0 ? -Infinity : (this.samples.dts[this.samples.count - 1] ?? 0);
    const at = Math.max(dts, lastDts + 1);
    this.samples.push({ ...frame, dts: at, shift: shownAt - at, duration: 0, key });
  }
}

/** Whether the frame decoded last is shown last, so that its duration is free. */
export function isShownLast(samples: SampleList): boolean {
  const last = samples.count - 1;
  for (let frame = last - 1; frame >= 0 && last - frame <= maxReordered; frame--)
    if (samples.pts(frame) > samples.pts(last)) return false;
  return true;
}

const ticksOf = (seconds: number): number => Math.round(seconds * VIDEO_TIMESCALE);
