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

/** Maximum wait for the other layers after the first frame, so that the stream begins with the largest one. */
const START_WAIT_MS = 1_000;
/** Maximum bytes of the frames that wait. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** A frame of any layer, with its RTP timestamp on the clock of one of them. */
export interface ReceivedFrame extends CodedFrame {
  readonly timestamp: number;
  /** Monotonic milliseconds of its arrival. */
  readonly arrivedAt: number;
}

interface LayeredVideoOptions {
  readonly track: OfferedTrack;
  readonly layers: OfferedLayers;
  readonly send: (packet: Buffer) => void;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Receives the frames of the source. */
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
  readonly received: ReceivedFrame;
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
  #source: number | null = null;
  /** Frames of all layers before the stream begins; null afterwards. */
  #waiting: LayerFrame[] | null = [];
  #waitingBytes = 0;
  #waitingSince: number | null = null;

  constructor(options: LayeredVideoOptions) {
    const { rids } = options.layers;
    this.#options = options;
    this.#ssrcs = new LayerSsrcs(options.layers);
    this.#timestamps = new LayerTimestamps(rids.length);
    this.#layers = rids.map((_, index) => this.#open(index));
  }

  /** Time of the last media packet of any layer; -Infinity before the first one. */
  get receivedAt(): number {
    return Math.max(...this.#layers.map(({ receiver }) => receiver.receivedAt));
  }

  /** Handles an RTP or RTCP packet; packets of other tracks are ignored. */
  receive(packet: Buffer, now: number): void {
    if (isRtcp(packet)) for (const { receiver } of this.#layers) receiver.receive(packet, now);
    else if (((packet[1] ?? 0) & 0x7f) === this.#options.track.payloadType) {
      const layer = this.#ssrcs.layerOf(packet);
      if (layer !== null) this.#layers[layer]?.receiver.receive(packet, now);
    }
  }

  /** Sends due reports and requests; called every few milliseconds. */
  tick(now: number): void {
    for (const layer of this.#layers) {
      layer.receiver.tick(now);
      // Senders answer a request for a paused layer with keyframes of the other layers.
      if (layer.isReceiving(now)) layer.reader.tick(now);
    }
    if (this.#waitingSince !== null && now - this.#waitingSince >= START_WAIT_MS) this.#start(now);
    const choice = this.#waiting ? null : this.#choose(now);
    if (choice !== null && choice !== this.#source) this.#layers[choice]?.reader.requestKeyframeEarly(now);
  }

  /** Requests keyframes of all layers, at most twice a second. */
  requestKeyframeEarly(now: number): void {
    for (const layer of this.#layers) if (layer.isReceiving(now)) layer.reader.requestKeyframeEarly(now);
  }

  #open(index: number): VideoLayer {
    const { track, send, now, onSenderReport } = this.#options;
    const reader: VideoFrameReader = new VideoFrameReader(
      'avc',
      {
        onFrame: (frame, timestamp) => this.#onFrame(layer, frame, timestamp),
        requestKeyframe: (time) => this.#requestKeyframe(layer, time),
      },
      now(),
    );
    const receiver = new RtpReceiver({
      clockRate: track.clockRate,
      payloadType: track.payloadType,
      send,
      ownSsrc: randomInt(1, 2 ** 32 - 1),
      onPacket: (packet, time) => {
        layer.addPacket(packet, time);
        reader.push(packet, time);
      },
      onGap: (time) => reader.onGap(time),
      onSenderReport: (report) => {
        const usedReport = this.#timestamps.addReport(index, report, now());
        if (usedReport) onSenderReport(usedReport);
      },
      onBye: () => {
        layer.markEnded();
        if (this.#layers.every(({ hasEnded, pixels }) => hasEnded || pixels === 0)) this.#options.onBye();
      },
    });
    const layer = new VideoLayer(index, receiver, reader);
    return layer;
  }

  /** Smaller layers get their keyframes with the source, so that all layers begin segments with the same picture. */
  #requestKeyframe(layer: VideoLayer, now: number): void {
    layer.receiver.requestKeyframe(now);
    if (layer.index !== this.#source) return;
    for (const otherLayer of this.#layers)
      if (otherLayer !== layer && otherLayer.isReceiving(now)) otherLayer.receiver.requestKeyframe(now);
  }

  #onFrame(layer: VideoLayer, frame: CodedFrame, rtpTimestamp: number): void {
    const arrivedAt = this.#options.now();
    layer.addFrame(frame, arrivedAt);
    const timestamp = this.#timestamps.convert(layer.index, rtpTimestamp, arrivedAt);
    const layerFrame = { layer, received: { ...frame, timestamp, arrivedAt } };
    if (!this.#waiting) {
      this.#forward(layerFrame);
      return;
    }
    this.#waitingSince ??= arrivedAt;
    this.#waiting.push(layerFrame);
    this.#waitingBytes += frame.payload.length;
    const isComplete = this.#layers.every(({ pixels }) => pixels > 0);
    if (isComplete || this.#waitingBytes > MAX_WAITING_BYTES) this.#start(arrivedAt);
  }

  #start(now: number): void {
    const layerFrames = this.#waiting ?? [];
    this.#waiting = null;
    this.#waitingSince = null;
    this.#source = this.#choose(now);
    for (const layerFrame of layerFrames) this.#forward(layerFrame);
  }

  #forward({ layer, received: packet }: LayerFrame): void {
    const { onFrame, onLayerFrame } = this.#options;
    const { index } = layer;
    if (packet.key && index !== this.#source && this.#choose(packet.arrivedAt) === index)
      this.#source = index;
    if (index === this.#source) onFrame(packet);
    const largest = Math.max(...this.#layers.map(({ pixels }) => pixels));
    if (layer.pixels < largest) onLayerFrame(index + 1, packet);
  }

  #choose(now: number): number | null {
    return chooseLayer(
      this.#layers.map((layer) => layer.state(now)),
      this.#source,
    );
  }
}
