import type { VideoPacket } from './media-packet';

/** Distance between two frames. */
const FRAME_MS = 100;
/** Delay of the black frames behind the audio: an encoder may send its video later than its audio. */
const DELAY_MS = 500;

/** The configuration of 640 × 360 black video (H.264, main profile, written by x264). */
const RECORD = Buffer.from(
  '014d4016ffe10018674d4016dc0a02ff97011000000300100000030140f162f801000468ee0fc8',
  'hex',
);

/**
 * Two keyframes that alternate, because consecutive keyframes with the same `idr_pic_id` are one picture (H.264
 * section 7.4.3).
 */
const KEYFRAMES = [
  '0000005b658882014ffef7c74fc0a6eadc22cb9d453d21308ad8fa4828bd58ecd0327500000300000300000301140bed15817991015d780000064c00ca84b426a1d41701a81de2823a853080100000030000030000030000030000030016f0',
  '0000005b658884053ffef7c74fc0a6eadc22cb9d453d21308ad8fa4828bd58ecd0327500000300000300000301140bed15817991015d780000064c00ca84b426a1d41701a81de2823a853080100000030000030000030000030000030016f1',
].map((frame) => Buffer.from(frame, 'hex'));

/** Replaces announced video that does not arrive, because players cannot add a track later. */
export class BlackVideo {
  readonly #emit: (packet: VideoPacket) => void;
  #nextMs: number;
  #frameCount = 0;

  /** @param fromMs decode time of the first frame */
  constructor(fromMs: number, emit: (packet: VideoPacket) => void) {
    this.#emit = emit;
    this.#nextMs = fromMs;
    this.#send({ role: 'config', key: false, payload: RECORD });
    // The first frame.
    this.fillUntil(fromMs + 1);
  }

  /** Emits frames up to `DELAY_MS` before `ms`, the audio's position. */
  fillBehindAudio(ms: number): void {
    this.fillUntil(ms - DELAY_MS);
  }

  /** Emits the remaining frames before `ms`. */
  fillUntil(ms: number): void {
    while (this.#nextMs < ms) {
      const payload = KEYFRAMES[this.#frameCount++ % KEYFRAMES.length];
      if (payload) this.#send({ role: 'frame', key: true, payload });
      this.#nextMs += FRAME_MS;
    }
  }

  /** The earliest decode time of the next frame, ms. */
  get endMs(): number {
    return this.#nextMs;
  }

  #send(packet: Pick<VideoPacket, 'role' | 'key' | 'payload'>): void {
    this.#emit({ kind: 'video', codec: 'avc', dts: this.#nextMs, pts: this.#nextMs, ...packet });
  }
}
