import { parsePictureOrder } from '@/media-worker/media/cmaf/avc-picture-order';
import { readRecordParameterSets } from '@/media-worker/media/cmaf/avc-parameter-sets';
import type { VideoConfig } from '@/media-worker/media/cmaf/codec-config';
import { parseOrNull } from '@/media-worker/media/cmaf/readable-only';
import { parsePictureOrderFields, type PictureOrderFields } from '@/media-worker/media/cmaf/sps';
import type { VideoPacket } from '@/media-worker/media/packets/media-packet';

/** Number of frames in the wrong order that prove wrong times. */
const FRAMES_NEEDED = 5;
/** Number of frames of one configuration that are examined. */
const MAX_FRAMES = 600;

/**
 * Finds H.264 video that is shown in another order than its slices say, for example because the encoder sends decode times as
 * presentation times.
 */
export class PictureOrder {
  #config: VideoConfig | null = null;
  #fields: PictureOrderFields | null = null;
  #last: { readonly order: number; readonly pts: number } | null = null;
  #frames = 0;
  #wrongFrames = 0;
  #isReported = false;

  /** Whether this frame is the first one that proves wrong times. */
  isNewlyWrong(frame: VideoPacket, config: VideoConfig): boolean {
    if (config !== this.#config) this.#setConfig(config);
    if (this.#isReported || !this.#fields || this.#frames >= MAX_FRAMES) return false;
    this.#frames += 1;
    if (this.#isWrong(frame, config.nalLengthSize, this.#fields)) this.#wrongFrames += 1;
    return (this.#isReported = this.#wrongFrames >= FRAMES_NEEDED);
  }

  #setConfig(config: VideoConfig): void {
    this.#config = config;
    this.#last = null;
    this.#frames = 0;
    this.#fields = parseOrNull(() => {
      const [sps] = config.coding === 'avc' ? readRecordParameterSets(config.record).sps : [];
      return sps ? parsePictureOrderFields(sps) : null;
    });
  }

  #isWrong({ payload, key, pts }: VideoPacket, nalLengthSize: number, fields: PictureOrderFields): boolean {
    const order = parsePictureOrder(payload, nalLengthSize, fields);
    const last = key ? null : this.#last;
    this.#last = order === null ? null : { order, pts };
    if (order === null || last === null) return false;
    const range = 2 ** fields.orderBits;
    const ahead = (order - last.order + range) % range;
    return ahead !== 0 && ahead < range / 2 !== pts > last.pts;
  }
}
