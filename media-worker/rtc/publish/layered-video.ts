import { randomInt } from 'node:crypto';
import type { CodedFrame } from '@/media-worker/media/mpegts/avc-access-unit';
import { LayerSsrcs } from '@/media-worker/rtc/rtp/layer-ssrcs';
import type { SenderReport } from '@/media-worker/rtc/rtp/rtcp';
import { isRtcp } from '@/media-worker/rtc/rtp/rtp-packet';
import { RtpReceiver } from '@/media-worker/rtc/rtp/rtp-receiver';
import type { OfferedLayers } from '@/media-worker/rtc/sdp-layers';
import { chooseLayer } from './choose-layer';
import { LayerTimestamps } from './layer-timestamps';
import type { OfferedTrack } from './offered-media';
import { VideoFrameReader } from './video-frame-reader';
import { VideoLayer } from './video-layer';

/** Maximum wait for the other layers after the first frame, so that the stream begins with the largest layer. */
const START_WAIT_MS = 1_000;
/** Maximum size of the frames that wait for the other layers. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** A frame of any layer. All layers have timestamps of the same RTP clock. */
export interface ReceivedFrame extends CodedFrame {
  readonly timestamp: number;
  /** Monotonic milliseconds of its arrival. */
  readonly arrivedAtMs: number;
}

interface LayeredVideoOptions {
  readonly track: OfferedTrack;
  readonly layers: OfferedLayers;
  readonly send: (packet: Buffer) => void;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Receives the frames of the source, from which the stream is packaged. */
  readonly onFrame: (frame: ReceivedFrame) => void;
  /**
   * Receives the frames of each smaller layer.
   * @param layer number of the layer, from 1
   */
  readonly onLayerFrame: (layer: number, frame: ReceivedFrame) => void;
  /** Receives the sender reports on the clock of the timestamps. */
  readonly onSenderReport: (report: SenderReport) => void;
  /** Called when the sender has ended all layers. */
  readonly onBye: () => void;
}

interface LayerFrame {
  readonly layer: VideoLayer;
  readonly frame: ReceivedFrame;
}

/**
 * Receives a video track with several layers. The largest layer that is being sent is the source of the stream. All smaller
 * layers are passed on as well, even one that is the source while a larger layer is paused.
 */
export class LayeredVideo {
  readonly #options: LayeredVideoOptions;
  readonly #ssrcs: LayerSsrcs;
  readonly #timestamps: LayerTimestamps;
  readonly #layers: readonly VideoLayer[];
  /** Index of the layer that is the source; null before the first frame. */
  #sourceIndex: number | null = null;
  /** Frames of all layers before the stream begins; null afterwards. */
  #waitingFrames: LayerFrame[] | null = [];
  #waitingBytes = 0;
  #waitingSinceMs: number | null = null;

  constructor(options: LayeredVideoOptions) {
    const { rids } = options.layers;
    this.#options = options;
    this.#ssrcs = new LayerSsrcs(options.layers);
    this.#timestamps = new LayerTimestamps(rids.length);
    this.#layers = rids.map((_, index) => this.#createLayer(index));
  }

  /** Arrival of the last media packet of any layer, monotonic ms; -Infinity before the first one. */
  get receivedAtMs(): number {
    return Math.max(...this.#layers.map(({ receiver }) => receiver.receivedAtMs));
  }

  /** Handles an RTP or RTCP packet; packets of other tracks are ignored. */
  receive(packet: Buffer, monotonicMs: number): void {
    if (isRtcp(packet)) for (const { receiver } of this.#layers) receiver.receive(packet, monotonicMs);
    // The highest bit of the second byte is the marker bit (RFC 3550 §5.1).
    else if (((packet[1] ?? 0) & 0x7f) === this.#options.track.payloadType) {
      const layerIndex = this.#ssrcs.layerOf(packet);
      if (layerIndex !== null) this.#layers[layerIndex]?.receiver.receive(packet, monotonicMs);
    }
  }

  /** Sends due reports and requests; called every few milliseconds. */
  tick(monotonicMs: number): void {
    for (const layer of this.#layers) {
      layer.receiver.tick(monotonicMs);
      // Senders answer a request for a paused layer with keyframes of the other layers.
      if (layer.isReceiving(monotonicMs)) layer.reader.tick(monotonicMs);
    }
    if (this.#waitingSinceMs !== null && monotonicMs - this.#waitingSinceMs >= START_WAIT_MS)
      this.#startStream(monotonicMs);
    const chosenIndex = this.#waitingFrames ? null : this.#chooseSource(monotonicMs);
    if (chosenIndex !== null && chosenIndex !== this.#sourceIndex)
      this.#layers[chosenIndex]?.reader.requestKeyframeEarly(monotonicMs);
  }

  /** Requests keyframes of all layers, at most twice a second. */
  requestKeyframeEarly(monotonicMs: number): void {
    for (const layer of this.#layers)
      if (layer.isReceiving(monotonicMs)) layer.reader.requestKeyframeEarly(monotonicMs);
  }

  #createLayer(index: number): VideoLayer {
    const { track, send, now, onSenderReport } = this.#options;
    const reader: VideoFrameReader = new VideoFrameReader(
      'avc',
      {
        onFrame: (frame, timestamp) => this.#onFrame(layer, frame, timestamp),
        requestKeyframe: (monotonicMs) => this.#requestKeyframe(layer, monotonicMs),
      },
      now(),
    );
    const receiver = new RtpReceiver({
      clockRate: track.clockRate,
      payloadType: track.payloadType,
      send,
      ownSsrc: randomInt(1, 2 ** 32 - 1),
      onPacket: (packet, monotonicMs) => {
        layer.recordPacket(packet, monotonicMs);
        reader.push(packet, monotonicMs);
      },
      onGap: (monotonicMs) => reader.onGap(monotonicMs),
      onSenderReport: (report) => {
        const convertedReport = this.#timestamps.addReport(index, report, now());
        if (convertedReport) onSenderReport(convertedReport);
      },
      onBye: () => {
        layer.markEnded();
        if (this.#layers.every(({ hasEnded, pixels }) => hasEnded || pixels === 0)) this.#options.onBye();
      },
    });
    const layer = new VideoLayer(index, receiver, reader);
    return layer;
  }

  /**
   * Requests a keyframe of a layer. For the source, keyframes of all other layers are requested too, so that all layers begin
   * segments with the same frame.
   */
  #requestKeyframe(layer: VideoLayer, monotonicMs: number): void {
    layer.receiver.requestKeyframe(monotonicMs);
    if (layer.index !== this.#sourceIndex) return;
    for (const otherLayer of this.#layers)
      if (otherLayer !== layer && otherLayer.isReceiving(monotonicMs))
        otherLayer.receiver.requestKeyframe(monotonicMs);
  }

  #onFrame(layer: VideoLayer, frame: CodedFrame, rtpTimestamp: number): void {
    const arrivedAtMs = this.#options.now();
    layer.recordFrame(frame, arrivedAtMs);
    const timestamp = this.#timestamps.convert(layer.index, rtpTimestamp, arrivedAtMs);
    const layerFrame = { layer, frame: { ...frame, timestamp, arrivedAtMs } };
    if (!this.#waitingFrames) {
      this.#forward(layerFrame);
      return;
    }
    this.#waitingSinceMs ??= arrivedAtMs;
    this.#waitingFrames.push(layerFrame);
    this.#waitingBytes += frame.payload.length;
    const isComplete = this.#layers.every(({ pixels }) => pixels > 0);
    if (isComplete || this.#waitingBytes > MAX_WAITING_BYTES) this.#startStream(arrivedAtMs);
  }

  #startStream(monotonicMs: number): void {
    const layerFrames = this.#waitingFrames ?? [];
    this.#waitingFrames = null;
    this.#waitingSinceMs = null;
    this.#sourceIndex = this.#chooseSource(monotonicMs);
    for (const layerFrame of layerFrames) this.#forward(layerFrame);
  }

  #forward({ layer, frame }: LayerFrame): void {
    const { onFrame, onLayerFrame } = this.#options;
    const { index } = layer;
    if (frame.key && index !== this.#sourceIndex && this.#chooseSource(frame.arrivedAtMs) === index)
      this.#sourceIndex = index;
    if (index === this.#sourceIndex) onFrame(frame);
    const largestPixels = Math.max(...this.#layers.map(({ pixels }) => pixels));
    if (layer.pixels < largestPixels) onLayerFrame(index + 1, frame);
  }

  #chooseSource(monotonicMs: number): number | null {
    return chooseLayer(
      this.#layers.map((layer) => layer.stateAt(monotonicMs)),
      this.#sourceIndex,
    );
  }
}
