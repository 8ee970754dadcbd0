import { codingOf, displaySize, parseAvcConfig } from '@/media-worker/media/cmaf/codec-config';
import { parseOrNull } from '@/media-worker/media/cmaf/parse-or-null';
import type { CodedFrame } from '@/media-worker/media/mpegts/avc-access-unit';
import type { RtpPacket } from '@/media-worker/rtc/rtp/rtp-packet';
import type { RtpReceiver } from '@/media-worker/rtc/rtp/rtp-receiver';
import { type LayerState, PAUSED_MS } from './choose-layer';
import type { VideoFrameReader } from './video-frame-reader';

/** One layer of a publisher's video: its packets, its frames, and whether it is being sent. */
export class VideoLayer {
  readonly index: number;
  readonly receiver: RtpReceiver;
  readonly reader: VideoFrameReader;
  #record: Buffer | null = null;
  #pixels = 0;
  #packetAt = -Infinity;
  #frameAt = -Infinity;
  #steadySince = 0;
  #hasEnded = false;

  constructor(index: number, receiver: RtpReceiver, reader: VideoFrameReader) {
    this.index = index;
    this.receiver = receiver;
    this.reader = reader;
  }

  get pixels(): number {
    return this.#pixels;
  }

  /** Whether the sender has ended the layer with BYE. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  markEnded(): void {
    this.#hasEnded = true;
  }

  /** Packets that contain only padding are sent for paused layers, too. */
  addPacket({ payload }: RtpPacket, now: number): void {
    if (payload.length > 0) this.#packetAt = now;
  }

  /** Whether media of the layer has arrived lately. */
  isReceiving(now: number): boolean {
    return now - this.#packetAt < PAUSED_MS;
  }

  addFrame({ key, payload }: CodedFrame, now: number): void {
    if (key) this.#readSize(payload);
    if (this.#hasEnded || now - this.#frameAt >= PAUSED_MS) this.#steadySince = now;
    this.#hasEnded = false;
    this.#frameAt = now;
  }

  state(now: number): LayerState {
    const silentMs = this.#hasEnded ? Infinity : now - this.#frameAt;
    return { pixels: this.#pixels, silentMs, steadyMs: now - this.#steadySince };
  }

  #readSize(keyframe: Buffer): void {
    const record = codingOf('avc').changedRecordFor(keyframe, this.#record);
    const config = record && parseOrNull(() => parseAvcConfig(record));
    if (!config) return;
    this.#record = config.record;
    const { width, height } = displaySize(config);
    this.#pixels = width * height;
  }
}
