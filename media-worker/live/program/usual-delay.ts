import type { MediaPacket } from '@/media-worker/media/packets/media-packet';

/** Length of a span. Only two spans are remembered, because clocks drift and uplinks change. */
const SPAN_MS = 30_000;
/** A packet is late if its delay is this much longer than usual. */
const LATE_MS = 500;

/** Measures whether packets of an encoder are late. The usual delay is the shortest of the current and the previous span. */
export class UsualDelay {
  #spanStartedAtMs: number | null = null;
  #previousShortestMs = Infinity;
  #shortestMs = Infinity;
  /** Delay of the newest packet, ms, plus the constant offset between both clocks. */
  #lastDelayMs = 0;
  #hasVideo = false;

  /**
   * Adds a packet that arrived at `now` (monotonic milliseconds). Audio may lag behind video by any time, so if there is
   * video, only video packets count.
   */
  add({ kind, dts }: MediaPacket, now: number): void {
    if (kind === 'video') this.#hasVideo = true;
    else if (this.#hasVideo) return;
    this.#spanStartedAtMs ??= now;
    if (now - this.#spanStartedAtMs >= SPAN_MS) {
      this.#spanStartedAtMs = now;
      this.#previousShortestMs = this.#shortestMs;
      this.#shortestMs = Infinity;
    }
    this.#lastDelayMs = now - dts;
    this.#shortestMs = Math.min(this.#shortestMs, this.#lastDelayMs);
  }

  /** Whether the newest packet is not late. */
  get isUsual(): boolean {
    return this.#lastDelayMs - Math.min(this.#previousShortestMs, this.#shortestMs) <= LATE_MS;
  }
}
