import { codingOf, displaySize, parseAvcConfig } from '@/media-worker/media/cmaf/codec-config';
import { parseOrNull } from '@/media-worker/media/cmaf/parse-or-null';
import type { CodedFrame } from '@/media-worker/media/mpegts/avc-access-unit';
import type { RtpPacket } from '@/media-worker/rtc/rtp/rtp-packet';
import type { RtpReceiver } from '@/media-worker/rtc/rtp/rtp-receiver';
import { type LayerState, PAUSED_MS } from './choose-layer';
import type { VideoFrameReader } from './video-frame-reader';

/** One layer of a publisher's video, with its size and the times of its packets and frames (monotonic milliseconds). */
export class VideoLayer {
  readonly index: number;
  readonly receiver: RtpReceiver;
  readonly reader: VideoFrameReader;
  #avcRecord: Buffer | null = null;
  #pixels = 0;
  #lastPacketMs = -Infinity;
  #lastFrameMs = -Infinity;
  #steadySinceMs = 0;
  #hasEnded = false;

  constructor(index: number, receiver: RtpReceiver, reader: VideoFrameReader) {
    this.index = index;
    this.receiver = receiver;
    this.reader = reader;
  }

  /** Width times height of the newest keyframe; 0 before the first. */
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

  /** Records the arrival of a packet. Packets with only padding do not count, because paused layers send them, too. */
  recordPacket({ payload }: RtpPacket, monotonicMs: number): void {
    if (payload.length > 0) this.#lastPacketMs = monotonicMs;
  }

  /** Whether a packet with media has arrived within `PAUSED_MS`. */
  isReceiving(monotonicMs: number): boolean {
    return monotonicMs - this.#lastPacketMs < PAUSED_MS;
  }

  recordFrame({ key, payload }: CodedFrame, monotonicMs: number): void {
    if (key) this.#readSize(payload);
    if (this.#hasEnded || monotonicMs - this.#lastFrameMs >= PAUSED_MS) this.#steadySinceMs = monotonicMs;
    this.#hasEnded = false;
    this.#lastFrameMs = monotonicMs;
  }

  stateAt(monotonicMs: number): LayerState {
    const silentMs = this.#hasEnded ? Infinity : monotonicMs - this.#lastFrameMs;
    return { pixels: this.#pixels, silentMs, steadyMs: monotonicMs - this.#steadySinceMs };
  }

  #readSize(keyframe: Buffer): void {
    const record = codingOf('avc').changedRecordFor(keyframe, this.#avcRecord);
    const config = record && parseOrNull(() => parseAvcConfig(record));
    if (!config) return;
    this.#avcRecord = config.record;
    const { width, height } = displaySize(config);
    this.#pixels = width * height;
  }
}
