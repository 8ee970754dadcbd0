import { parsePictureOrder } from '@/media-worker/media/cmaf/avc-picture-order';
import { readRecordParameterSets } from '@/media-worker/media/cmaf/avc-parameter-sets';
import type { VideoConfig } from '@/media-worker/media/cmaf/codec-config';
import { parseOrNull } from '@/media-worker/media/cmaf/parse-or-null';
import { parsePictureOrderFields, type PictureOrderFields } from '@/media-worker/media/cmaf/sps';
import type { VideoPacket } from '@/media-worker/media/packets/media-packet';

/** Number of frames in the wrong order after which times count as wrong. */
const FRAMES_NEEDED = 5;
/** Number of frames of one configuration that are examined. */
const MAX_FRAMES = 600;

/**
 * Detects H.264 video whose presentation times contradict the display order in its slices, for example because the encoder
 * sends decode times as presentation times.
 */
export class PictureOrder {
  #config: VideoConfig | null = null;
  #fields: PictureOrderFields | null = null;
  #lastFrame: { readonly order: number; readonly pts: number } | null = null;
  #frameCount = 0;
  #wrongFrameCount = 0;
  #isReported = false;

  /** Adds a frame. Returns whether times count as wrong from this frame on; true once. */
  isNewlyWrong(frame: VideoPacket, config: VideoConfig): boolean {
    if (config !== this.#config) this.#setConfig(config);
    if (this.#isReported || !this.#fields || this.#frameCount >= MAX_FRAMES) return false;
    this.#frameCount += 1;
    if (this.#isWrong(frame, config.nalLengthSize, this.#fields)) this.#wrongFrameCount += 1;
    return (this.#isReported = this.#wrongFrameCount >= FRAMES_NEEDED);
  }

  #setConfig(config: VideoConfig): void {
    this.#config = config;
    this.#lastFrame = null;
    this.#frameCount = 0;
    this.#fields = parseOrNull(() => {
      const [sps] = config.coding === 'avc' ? readRecordParameterSets(config.record).sps : [];
      return sps ? parsePictureOrderFields(sps) : null;
    });
  }

  #isWrong({ payload, key, pts }: VideoPacket, nalLengthSize: number, fields: PictureOrderFields): boolean {
    const order = parsePictureOrder(payload, nalLengthSize, fields);
    const last = key ? null : this.#lastFrame;
    this.#lastFrame = order === null ? null : { order, pts };
    if (order === null || last === null) return false;
    // The display order is a counter of a few bits, so a step of more than half its range is a step back.
    const range = 2 ** fields.orderBits;
    const orderStep = (order - last.order + range) % range;
    const isLaterByOrder = orderStep < range / 2;
    const isLaterByTime = pts > last.pts;
    return orderStep !== 0 && isLaterByOrder !== isLaterByTime;
  }
}
