import type { VideoPacket } from '@/media-worker/media/packets/media-packet';

/** Maximum number of remembered frames: ten seconds at 60 frames a second. */
const MAX_FRAMES = 600;
/** A frame with an older stamp is a repetition of the held picture; a much older one shows that the clock was set. */
const MAX_REPETITION_MS = 15_000;
/** Keyframes of two layers that are at most this far apart show the same picture: their clocks are estimates. */
export const SAME_PICTURE_MS = 100;

interface SourceFrame {
  /** Decode time on the publisher's clock, ms. */
  readonly stampMs: number;
  /** Decode time on the media timeline, ms. */
  readonly ms: number;
  readonly key: boolean;
}

/** The latest frames of the source, by which times on the publisher's clock are converted to the media timeline. */
export class SourceTimes {
  #frames: SourceFrame[] = [];

  add({ dts, originalDts = dts, key }: Pick<VideoPacket, 'dts' | 'originalDts' | 'key'>): void {
    const behindMs = (this.#frames.at(-1)?.stampMs ?? -Infinity) - originalDts;
    if (behindMs >= 0 && behindMs <= MAX_REPETITION_MS) return;
    if (behindMs > 0) this.clear();
    this.#frames.push({ stampMs: originalDts, ms: dts, key });
    if (this.#frames.length > MAX_FRAMES) this.#frames.shift();
  }

  /** Called when another publisher, with another clock, becomes the source. */
  clear(): void {
    this.#frames = [];
  }

  /** @returns the time on the media timeline, ms; null without frames */
  msOf(stampMs: number): number | null {
    const frame = this.#frames.findLast((candidate) => candidate.stampMs <= stampMs) ?? this.#frames[0];
    return frame ? frame.ms + stampMs - frame.stampMs : null;
  }

  /** @returns the publisher's time of the source's keyframe that shows the same picture as a keyframe of a layer */
  stampOfKey(stampMs: number): number | null {
    let nearest: number | null = null;
    for (const frame of this.#frames) {
      const distance = Math.abs(frame.stampMs - stampMs);
      if (!frame.key || distance > SAME_PICTURE_MS) continue;
      if (nearest === null || distance <= Math.abs(nearest - stampMs)) nearest = frame.stampMs;
    }
    return nearest;
  }
}
