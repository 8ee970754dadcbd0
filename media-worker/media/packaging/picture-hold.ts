import type { VideoPacket } from '@/media-worker/media/packets/media-packet';

/** How far apart the frames of a replayed group of pictures are, ms: all of them are gone before the last one shows. */
const STEP_MS = 1;
/** A larger group of pictures costs viewers more than an older picture. */
const MOST_FRAMES = 300;
const MOST_BYTES = 8 * 1024 * 1024;
/** How far ahead of the picture sound usually is: the furthest in the last two spans of this length, ms. */
const USUAL_SPAN_MS = 5_000;

/**
 * Shows the last picture again at the start of a segment while no frames come. Its whole group of pictures is decoded again,
 * so that the frames that follow it later are decoded as if nothing had been repeated.
 */
export class PictureHold {
  #group: VideoPacket[] = [];
  #bytes = 0;
  #tooLarge = false;
  #skipping = false;

  /** A frame of the publisher comes. @returns false if it cannot be decoded after what was shown meanwhile */
  accepts(frame: VideoPacket): boolean {
    if (frame.key) {
      this.#group = [frame];
      this.#bytes = frame.payload.length;
      this.#skipping = this.#tooLarge = false;
    } else if (this.#skipping) return false;
    else if (!this.#tooLarge) this.#add(frame);
    return true;
  }

  /** The group again from `ms` on, one frame a millisecond; only its keyframe if it is too large. */
  replay(ms: number): VideoPacket[] {
    this.#skipping ||= this.#tooLarge;
    const inOrder = this.#group.toSorted((a, b) => a.pts - b.pts);
    const places = new Map(inOrder.map((frame, index) => [frame, index]));
    const shiftOf = this.#group.map((frame, index) => (places.get(frame) ?? index) - index);
    const delay = -Math.min(0, ...shiftOf);
    return this.#group.map((frame, index) => {
      const dts = ms + index * STEP_MS;
      return { ...frame, dts, pts: dts + (delay + (shiftOf[index] ?? 0)) * STEP_MS };
    });
  }

  #add(frame: VideoPacket): void {
    this.#group.push(frame);
    this.#bytes += frame.payload.length;
    this.#tooLarge = this.#group.length > MOST_FRAMES || this.#bytes > MOST_BYTES;
    if (this.#tooLarge) this.#group.length = 1;
  }
}

/** How far sound is usually ahead of the picture when a frame of the picture comes, by the stamps of both. */
export class UsualLead {
  #sinceMs: number | undefined;
  #beforeMs = 0;
  #mostMs = 0;

  get unknown(): boolean {
    return this.#sinceMs === undefined;
  }

  get ms(): number {
    return Math.max(this.#beforeMs, this.#mostMs);
  }

  /** @param ms time of the frame */
  add(leadMs: number, ms: number): void {
    if (ms - (this.#sinceMs ?? -Infinity) >= USUAL_SPAN_MS) {
      this.#sinceMs = ms;
      this.#beforeMs = this.#mostMs;
      this.#mostMs = 0;
    }
    this.#mostMs = Math.max(this.#mostMs, leadMs);
  }
}
