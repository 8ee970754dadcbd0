import { parsePictureOrder } from '@/media-worker/media/cmaf/avc-picture-order';
import { readRecordParameterSets } from '@/media-worker/media/cmaf/avc-parameter-sets';
import type { VideoConfig } from '@/media-worker/media/cmaf/codec-config';
import { parseOrNull } from '@/media-worker/media/cmaf/readable-only';
import { parsePictureOrderFields, type PictureOrderFields } from '@/media-worker/media/cmaf/sps';
import type { VideoPacket } from '@/media-worker/media/packets/media-packet';

/** Composition times that differ by at most this much are equal: times are rounded to milliseconds. */
const ROUNDED_MS = 2;
/** Number of frames out of order that prove wrong times. */
const FRAMES_NEEDED = 5;

/**
 * Finds H.264 video whose frames are decoded in another order than they are shown, although all have the same composition
 * time: then the encoder sends decode times as presentation times.
 */
export class PictureOrder {
  #config: VideoConfig | null = null;
  #fields: PictureOrderFields | null = null;
  #offsetMs: number | null = null;
  #lastOrder: number | null = null;
  #framesOutOfOrder = 0;
  #isDone = false;

  /** Whether this frame is the first one that proves wrong times. */
  isNewlyWrong(frame: VideoPacket, config: VideoConfig): boolean {
    if (config !== this.#config) this.#setConfig(config);
    if (this.#isDone || !this.#fields) return false;
    const offsetMs = frame.pts - frame.dts;
    this.#offsetMs ??= offsetMs;
    // With presentation times, the order of the frames is right.
    if (Math.abs(offsetMs - this.#offsetMs) > ROUNDED_MS) this.#isDone = true;
    else if (this.#isOutOfOrder(frame, config.nalLengthSize, this.#fields)) this.#framesOutOfOrder += 1;
    if (this.#framesOutOfOrder < FRAMES_NEEDED) return false;
    this.#isDone = true;
    return true;
  }

  #setConfig(config: VideoConfig): void {
    this.#config = config;
    this.#lastOrder = this.#offsetMs = null;
    this.#fields = parseOrNull(() => {
      const [sps] = config.coding === 'avc' ? readRecordParameterSets(config.record).sps : [];
      return sps ? parsePictureOrderFields(sps) : null;
    });
  }

  #isOutOfOrder({ payload, key }: VideoPacket, nalLengthSize: number, fields: PictureOrderFields): boolean {
    const order = parsePictureOrder(payload, nalLengthSize, fields);
    const last = key ? null : this.#lastOrder;
    this.#lastOrder = order ?? this.#lastOrder;
    if (order === null || last === null) return false;
    const range = 2 ** fields.orderBits;
    return (order - last + range) % range > range / 2;
  }
}
