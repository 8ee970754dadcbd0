import type { MediaPacket } from '@/media-worker/media/packets/media-packet';

/**
 * The usual delay is the shortest delay within the last two spans of this length, because clocks drift and uplinks
 * change.
 */
const SPAN_MS = 30_000;
const LATE_MS = 500;

/** Measures whether the packets of an encoder are later than usual. */
export class UsualDelay {
  #spanStartedAt: number | null = null;
  #previousShortest = Infinity;
  #shortest = Infinity;
  #last = 0;

  /** Adds a packet. Audio may lag behind video by any time, so if there is video, only video packets count. */
  add({ kind, dts }: MediaPacket, now: number): void {
    if (kind === 'video') this.#hasVideo = true;
    else if (this.#hasVideo) return;
    this.#spanStartedAt ??= now;
    if (now - this.#spanStartedAt >= SPAN_MS) {
      this.#spanStartedAt = now;
      this.#previousShortest = this.#shortest;
      this.#shortest = Infinity;
    }
    this.#last = now - dts;
    this.#shortest = Math.min(this.#shortest, this.#last);
  }

  get isUsual(): boolean {
    return this.#last - Math.min(this.#previousShortest, this.#shortest) <= LATE_MS;
  }

  #hasVideo = false;
}
