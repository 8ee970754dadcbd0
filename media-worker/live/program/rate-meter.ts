import type { MediaPacket } from '@/media-worker/media/packets/media-packet';

/** Duration of one measurement. */
const SPAN_MS = 2_000;

interface Count {
  bytes: number;
  frames: number;
}

/** Measures bitrate and frame rate over spans of two seconds. */
export class RateMeter {
  #spanStartedAtMs: number;
  #count: Count = { bytes: 0, frames: 0 };
  #rate = { bitrate: 0, fps: null as number | null };

  /** @param now monotonic milliseconds, as in the other methods */
  constructor(now: number) {
    this.#spanStartedAtMs = now;
  }

  add({ kind, role, payload }: MediaPacket, now: number): void {
    this.takeRates(now);
    this.#count.bytes += payload.length;
    if (kind === 'video' && role === 'frame') this.#count.frames += 1;
  }

  /** The rates of the last complete span. `fps` is null without video. Starts a new span if the current one is over. */
  takeRates(now: number): { readonly bitrate: number; readonly fps: number | null } {
    const elapsedMs = now - this.#spanStartedAtMs;
    if (elapsedMs < SPAN_MS) return this.#rate;
    const { bytes, frames } = this.#count;
    this.#rate = {
      bitrate: Math.round((bytes * 8_000) / elapsedMs),
      // Rounded to tenths.
      fps: frames > 0 ? Math.round((frames * 10_000) / elapsedMs) / 10 : null,
    };
    this.#spanStartedAtMs = now;
    this.#count = { bytes: 0, frames: 0 };
    return this.#rate;
  }
}
