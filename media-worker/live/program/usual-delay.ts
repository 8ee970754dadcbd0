import type { MediaPacket } from '@/media-worker/media/packets/media-packet';

/** The usual delay is the shortest of the last two spans of this length: clocks drift, and uplinks change. */
const SPAN_MS = 30_000;
const LATE_MS = 500;

/** How late the packets of an encoder are, compared with their usual delay. */
export class UsualDelay {
  #since: number | null = null;
  #before = Infinity;
  #shortest = Infinity;
  #last = 0;

  /** Adds a packet. Audio may lag behind video by any time, so if there is video, only its frames count. */
  add({ kind, dts }: MediaPacket, now: number): void {
    if (kind === 'video') this.#hasVideo = true;
    else if (this.#hasVideo) return;
    this.#since ??= now;
    if (now - this.#since >= SPAN_MS) {
      this.#since = now;
      this.#before = this.#shortest;
      this.#shortest = Infinity;
    }
    this.#last = now - dts;
    this.#shortest = Math.min(this.#shortest, this.#last);
  }

  get isUsual(): boolean {
    return this.#last - Math.min(this.#before, this.#shortest) <= LATE_MS;
  }

  #hasVideo = false;
}
