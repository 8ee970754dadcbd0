import type { VideoPacket } from '@/media-worker/media/packets/media-packet';

/** Frame distance of a replayed GOP, ms: all frames pass before the last one is shown. */
const STEP_MS = 1;
/** The replay of a larger GOP costs viewers more than an older frame. */
const MAX_FRAMES = 300;
const MAX_BYTES = 8 * 1024 * 1024;
/** Span over which the usual lead of audio over video is measured: the largest lead in the last two spans. */
const USUAL_SPAN_MS = 5_000;

/**
 * Shows the last frame again at the start of a segment while no frames arrive. Its whole GOP is decoded again, so
 * that later frames decode as if no frame had been repeated.
 */
export class FrameHold {
  #group: VideoPacket[] = [];
  #bytes = 0;
  #tooLarge = false;
  #skipping = false;

  /** Records the arrival of a frame. @returns false if the frame cannot be decoded after the repeated ones */
  accepts(frame: VideoPacket): boolean {
    if (frame.key) {
      this.#group = [frame];
      this.#bytes = frame.payload.length;
      this.#skipping = this.#tooLarge = false;
    } else if (this.#skipping) return false;
    else if (!this.#tooLarge) this.#add(frame);
    return true;
  }

  /** The frames of the GOP again from `ms` on, one per millisecond; only the keyframe if the GOP is too large. */
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
    this.#tooLarge = this.#group.length > MAX_FRAMES || this.#bytes > MAX_BYTES;
    if (this.#tooLarge) this.#group.length = 1;
  }
}

/** The usual lead of audio over video when a video frame arrives, by their timestamps. */
export class UsualLead {
  #sinceMs: number | undefined;
  #beforeMs = 0;
  #maxMs = 0;

  get unknown(): boolean {
    return this.#sinceMs === undefined;
  }

  get ms(): number {
    return Math.max(this.#beforeMs, this.#maxMs);
  }

  /** @param ms time of the frame */
  add(leadMs: number, ms: number): void {
    if (ms - (this.#sinceMs ?? -Infinity) >= USUAL_SPAN_MS) {
      this.#sinceMs = ms;
      this.#beforeMs = this.#maxMs;
      this.#maxMs = 0;
    }
    this.#maxMs = Math.max(this.#maxMs, leadMs);
  }
}
