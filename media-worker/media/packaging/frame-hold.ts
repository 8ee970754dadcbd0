import type { VideoPacket } from '@/media-worker/media/packets/media-packet';

/** Distance between the frames of a replayed GOP: too short for viewers to see any frame but the last. */
const REPLAY_STEP_MS = 1;
/** Maximum number of frames in a replayed GOP: decoding a larger one costs viewers more than seeing an older frame. */
const MAX_FRAMES = 300;
const MAX_BYTES = 8 * 1024 * 1024;
/** The usual lead of audio over video is its maximum in the current and the previous span of this length. */
const USUAL_SPAN_MS = 5_000;

/**
 * Repeats the last frame at the start of a segment while no frames arrive. Its whole GOP is decoded again, so that
 * later frames decode as if no frame had been repeated.
 */
export class FrameHold {
  #gop: VideoPacket[] = [];
  #bytes = 0;
  #isTooLarge = false;
  /** Whether frames are dropped until the next keyframe. */
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
    const displayOrder = this.#gop.toSorted((a, b) => a.pts - b.pts);
    const displayIndexes = new Map(displayOrder.map((frame, index) => [frame, index]));
    const displayShifts = this.#gop.map((frame, index) => (displayIndexes.get(frame) ?? index) - index);
    // Keeps presentation times from preceding decode times.
    const delay = -Math.min(0, ...displayShifts);
    return this.#gop.map((frame, index) => {
      const dts = ms + index * REPLAY_STEP_MS;
      const pts = dts + (delay + (displayShifts[index] ?? 0)) * REPLAY_STEP_MS;
      return { ...frame, dts, pts, originalDts: frame.originalDts ?? frame.dts };
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
  #spanStartMs: number | undefined;
  #previousSpanMaxMs = 0;
  #spanMaxMs = 0;

  /** Whether no lead was measured yet. */
  get isUnknown(): boolean {
    return this.#spanStartMs === undefined;
  }

  get ms(): number {
    return Math.max(this.#previousSpanMaxMs, this.#spanMaxMs);
  }

  /** @param ms time of the video frame */
  add(leadMs: number, ms: number): void {
    if (ms - (this.#spanStartMs ?? -Infinity) >= USUAL_SPAN_MS) {
      this.#spanStartMs = ms;
      this.#previousSpanMaxMs = this.#spanMaxMs;
      this.#spanMaxMs = 0;
    }
    this.#spanMaxMs = Math.max(this.#spanMaxMs, leadMs);
  }
}
