import type { CodedFrame } from '@/media-worker/media/mpegts/avc-access-unit';
import { avcFrameFromNalUnits } from '@/media-worker/media/mpegts/avc-access-unit';
import { hevcFrameFromNalUnits } from '@/media-worker/media/mpegts/hevc-access-unit';
import { isAv1Keyframe } from '@/media-worker/media/cmaf/av1-config';
import type { VideoCodingName } from '@/media-worker/media/cmaf/codec-config';
import { PayloadSlab } from '@/media-worker/media/packets/flv-reader';
import { Av1Depacketizer } from '@/media-worker/rtc/rtp/av1-depacketizer';
import { H264Depacketizer } from '@/media-worker/rtc/rtp/h264-depacketizer';
import { HevcDepacketizer } from '@/media-worker/rtc/rtp/hevc-depacketizer';
import type { RtpPacket } from '@/media-worker/rtc/rtp/rtp-packet';
import type { Depacketizer } from '@/media-worker/rtc/rtp/video-depacketizer';

/** Segments end at the first keyframe after 2 s. If none arrives, one is requested slightly later. */
const KEYFRAME_INTERVAL_MS = 2_050;
/** Shortest interval between two requests for a keyframe. */
const REQUEST_INTERVAL_MS = 500;

const depacketizerFactories: Readonly<Record<VideoCodingName, () => Depacketizer>> = {
  avc: () => new H264Depacketizer(),
  hevc: () => new HevcDepacketizer(),
  av1: () => new Av1Depacketizer(),
};

interface FrameEvents {
  /** @param timestamp RTP timestamp of the frame */
  readonly onFrame: (frame: CodedFrame, timestamp: number) => void;
  readonly requestKeyframe: (monotonicMs: number) => void;
}

/**
 * Assembles the frames of a video track and requests keyframes. After a loss, frames are dropped until the next
 * keyframe.
 */
export class VideoFrameReader {
  readonly #codec: VideoCodingName;
  readonly #events: FrameEvents;
  readonly #depacketizer: Depacketizer;
  readonly #slab = new PayloadSlab();
  /** RTP timestamp of the frame whose packets are arriving; null between frames. */
  #timestamp: number | null = null;
  /** Whether that frame has missing or invalid packets, so that it is dropped. */
  #isDamaged = false;
  /** Whether packets are missing before the next one. */
  #isAfterGap = false;
  #waitsForKeyframe = true;
  #lastKeyframeMs: number;
  #lastRequestMs = -Infinity;

  /** @param monotonicMs monotonic milliseconds */
  constructor(codec: VideoCodingName, events: FrameEvents, monotonicMs: number) {
    this.#codec = codec;
    this.#events = events;
    this.#depacketizer = depacketizerFactories[codec]();
    this.#lastKeyframeMs = monotonicMs - KEYFRAME_INTERVAL_MS;
  }

  push({ payload, timestamp, marker }: RtpPacket, monotonicMs: number): void {
    if (timestamp !== this.#timestamp) this.#finishFrame(monotonicMs);
    this.#timestamp = timestamp;
    // The missing packets can contain the end of the previous frame and the start of this one.
    if (this.#isAfterGap) this.#isDamaged = true;
    this.#isAfterGap = false;
    // Some senders send packets that contain only padding, to probe the available bandwidth.
    if (payload.length > 0 && !this.#depacketizer.push(payload)) this.#isDamaged = true;
    if (marker) this.#finishFrame(monotonicMs);
  }

  /** Called when packets are missing before the next one. Requests a keyframe. */
  onGap(monotonicMs: number): void {
    this.#isDamaged = true;
    this.#isAfterGap = true;
    this.#waitsForKeyframe = true;
    this.#requestKeyframe(monotonicMs);
  }

  /** Requests a keyframe if one is due. */
  tick(monotonicMs: number): void {
    const isDue = this.#waitsForKeyframe || monotonicMs - this.#lastKeyframeMs >= KEYFRAME_INTERVAL_MS;
    if (isDue && monotonicMs - this.#lastRequestMs >= REQUEST_INTERVAL_MS) this.#requestKeyframe(monotonicMs);
  }

  /** Requests a keyframe although none is due, at most once per `REQUEST_INTERVAL_MS`. */
  requestKeyframeEarly(monotonicMs: number): void {
    if (monotonicMs - this.#lastRequestMs >= REQUEST_INTERVAL_MS) this.#requestKeyframe(monotonicMs);
  }

  #requestKeyframe(monotonicMs: number): void {
    this.#lastRequestMs = monotonicMs;
    this.#events.requestKeyframe(monotonicMs);
  }

  #finishFrame(monotonicMs: number): void {
    const timestamp = this.#timestamp;
    this.#timestamp = null;
    if (timestamp === null) return;
    const units = this.#depacketizer.takeUnits();
    const isComplete = !this.#isDamaged && units !== null;
    this.#isDamaged = false;
    const frame = isComplete ? this.#assembleFrame(units) : null;
    if (!isComplete) this.#waitsForKeyframe = true;
    if (!frame) return;
    if (frame.key) {
      this.#waitsForKeyframe = false;
      this.#lastKeyframeMs = monotonicMs;
    }
    if (!this.#waitsForKeyframe) this.#events.onFrame(frame, timestamp);
  }

  #assembleFrame(units: readonly Buffer[]): CodedFrame | null {
    if (units.length === 0) return null;
    if (this.#codec === 'avc') return avcFrameFromNalUnits(units, this.#slab);
    if (this.#codec === 'hevc') return hevcFrameFromNalUnits(units, this.#slab);
    const payload = Buffer.concat(units);
    return { key: isAv1Keyframe(payload), payload };
  }
}
