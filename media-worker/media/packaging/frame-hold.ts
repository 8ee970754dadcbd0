import type { VideoPacket } from '@/media-worker/media/packets/media-packet';

/** Distance between the frames of a replayed GOP, ms: too short for viewers to see any frame but the last. */
const STEP_MS = 1;
/** Maximum number of frames in a replayed GOP: decoding a larger one costs viewers more than seeing an older frame. */
const MAX_FRAMES = 300;
const MAX_BYTES = 8 * 1024 * 1024;
/** Span over which the usual lead of audio over video is measured: the largest lead in the last two spans. */
const USUAL_SPAN_MS = 5_000;

/**
 * Shows the last frame again at the start of a segment while no frames arrive. Its whole GOP is decoded again, so
 * that later frames decode as if no frame had been repeated.
 */
export class FrameHold {
  #gop: VideoPacket[] = [];
  #bytes = 0;
  #isTooLarge = false;
  #isSkipping = false;

  /**
   * Adds a frame to the current GOP.
   * @returns false if the frame cannot be decoded after the repeated frames, and must be dropped
   */
  addFrame(frame: VideoPacket): boolean {
    if (frame.key) {
      this.#gop = [frame];
      this.#bytes = frame.payload.length;
      this.#isSkipping = this.#isTooLarge = false;
    } else if (this.#isSkipping) return false;
    else if (!this.#isTooLarge) this.#add(frame);
    return true;
  }

  /** The frames of the GOP again from `ms` on, one per millisecond; only the keyframe if the GOP is too large. */
  replay(ms: number): VideoPacket[] {
    this.#isSkipping ||= this.#isTooLarge;
    const inOrder = this.#gop.toSorted((a, b) => a.pts - b.pts);
    const displayIndexes = new Map(inOrder.map((frame, index) => [frame, index]));
    const displayShifts = this.#gop.map((frame, index) => (displayIndexes.get(frame) ?? index) - index);
    const delay = -Math.min(0, ...displayShifts);
    return this.#gop.map((frame, index) => {
      const dts = ms + index * STEP_MS;
      const pts = dts + (delay + (displayShifts[index] ?? 0)) * STEP_MS;
      return { ...frame, dts, pts, stampMs: frame.stampMs ?? frame.dts };
    });
  }

  #add(frame: VideoPacket): void {
    this.#gop.push(frame);
    this.#bytes += frame.payload.length;
    this.#isTooLarge = this.#gop.length > MAX_FRAMES || this.#bytes > MAX_BYTES;
    if (this.#isTooLarge) this.#gop.length = 1;
  }
}

/** The usual lead of audio over video when a video frame arrives, by their timestamps. */
export class UsualLead {
  #sinceMs: number | undefined;
  #beforeMs = 0;
  #maxMs = 0;

  get isUnknown(): boolean {
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
