import { randomInt } from 'node:crypto';
import type { Logger } from '@/lib/infra/logger';
import { metrics } from '@/lib/infra/metrics/metrics';
import type { PublishEnd } from '@/media-worker/media/packets/publish';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import type { PeerEnd, PeerTrack } from '@/media-worker/rtc/peer';
import type { AcceptedOffer } from '@/media-worker/rtc/rtc-direction';
import { RtpReceiver } from '@/media-worker/rtc/rtp/rtp-receiver';
import type { SessionDescription } from '@/media-worker/rtc/sdp';
import type { OfferedLayers } from '@/media-worker/rtc/sdp-layers';
import { LayeredVideo, type ReceivedFrame } from './layered-video';
import { MediaClock, type TrackKind } from './media-clock';
import type { PublishConnection } from './movable-publish';
import { completeAnswer, type OfferedMedia, type OfferedVideo, type OfferedTrack } from './offered-media';
import { VideoFrameReader } from './video-frame-reader';
import { AudioTranscoder } from '@/media-worker/live/transcode/audio-transcoder';
import { TrackStartBuffer } from './track-start-buffer';

/** A publisher that sends no media for this long is considered lost. */
const SILENCE_TIMEOUT_MS = 8_000;

interface WhipPublisherOptions {
  readonly offer: SessionDescription;
  readonly media: OfferedMedia;
  /** Receives the packets of the publisher. */
  readonly publish: PublishConnection;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Called when no connectivity check of the client arrived. */
  readonly onUnreachable: () => void;
  /** Called once, when the connection has ended. */
  readonly onClosed: () => void;
}

interface TrackReceiver {
  readonly receiver: Pick<RtpReceiver, 'receive' | 'tick' | 'receivedAtMs'>;
  readonly tick: (monotonicMs: number) => void;
}

/** Converts the media of one WebRTC publisher from RTP to the packets of a publish. */
export class WhipPublisher implements AcceptedOffer {
  readonly offer: SessionDescription;
  readonly #options: WhipPublisherOptions;
  readonly #clock: MediaClock;
  readonly #audio: AudioTranscoder;
  readonly #startBuffer: TrackStartBuffer | null;
  readonly #receivers: TrackReceiver[] = [];
  #video: Pick<VideoFrameReader, 'requestKeyframeEarly'> | null = null;
  #connectedAtMs: number | null = null;
  #timelineStartMs = 0;
  /** Whether the sender ended the publish, as opposed to a lost connection. */
  #isFinished = false;

  constructor(options: WhipPublisherOptions) {
    const { media, publish, log } = options;
    this.offer = media.reducedOffer;
    this.#options = options;
    this.#clock = new MediaClock({ video: 90_000, audio: 48_000 });
    this.#startBuffer = publish.isSuccessor
      ? null
      : new TrackStartBuffer(media, (packet) => publish.push(packet));
    this.#audio = new AudioTranscoder({ codec: 'opus', log, onPacket: (packet) => this.#push(packet) });
  }

  finish(answer: SessionDescription): SessionDescription {
    return completeAnswer(answer, this.#options.offer, this.#options.media);
  }

  onConnected(): void {
    this.#connectedAtMs = this.#options.now();
    this.#timelineStartMs = this.#options.publish.onConnected();
  }

  onIceRestartRejected(): void {
    this.#options.publish.expectMove();
  }

  onTrack(track: PeerTrack): void {
    const { video, audio, hiddenSections } = this.#options.media;
    // The library delivers the packets of hidden sections on the track of the section that it sees.
    const belongsTo = (offered: OfferedTrack | null): boolean =>
      offered?.mid === track.mid || hiddenSections.some(({ mid }) => mid === offered?.mid);
    const firstReceiverIndex = this.#receivers.length;
    if (video && belongsTo(video)) this.#receiveVideo(track, video);
    if (audio && belongsTo(audio)) this.#receiveAudio(track, audio);
    const receivers = this.#receivers.slice(firstReceiverIndex).map(({ receiver }) => receiver);
    track.onPacket((packet) => {
      metrics.receivedBytes.inc(packet.length);
      for (const receiver of receivers) receiver.receive(packet, this.#options.now());
    });
  }

  /** Requests a keyframe from the encoder, at most twice a second. */
  requestKeyframe(monotonicMs: number): void {
    this.#video?.requestKeyframeEarly(monotonicMs);
  }

  /** Runs timers of the publish; called every few milliseconds. */
  tick(monotonicMs: number): void {
    if (this.#connectedAtMs === null) return;
    for (const { receiver, tick } of this.#receivers) {
      receiver.tick(monotonicMs);
      tick(monotonicMs);
    }
    this.#startBuffer?.tick(monotonicMs);
    const lastReceivedMs = Math.max(
      this.#connectedAtMs,
      ...this.#receivers.map(({ receiver }) => receiver.receivedAtMs),
    );
    if (monotonicMs - lastReceivedMs >= SILENCE_TIMEOUT_MS) this.#options.publish.disconnect('lost');
  }

  onEnd(reason: PeerEnd): void {
    this.#startBuffer?.flush();
    void this.#audio.close();
    if (reason === 'unreachable') this.#options.onUnreachable();
    this.#options.publish.end(publishEndOf(reason, this.#isFinished));
    this.#options.onClosed();
  }

  #receiveVideo(track: PeerTrack, { codec, layers, ...offer }: OfferedVideo): void {
    if (layers) {
      this.#receiveLayers(track, offer, layers);
      return;
    }
    const { now } = this.#options;
    const reader: VideoFrameReader = new VideoFrameReader(
      codec,
      {
        onFrame: ({ key, payload }, timestamp) => {
          const dts = this.#msOf('video', timestamp);
          this.#push({ kind: 'video', codec, role: 'frame', dts, pts: dts, key, payload });
        },
        requestKeyframe: (monotonicMs) => receiver.requestKeyframe(monotonicMs),
      },
      now(),
    );
    this.#video = reader;
    const receiver = this.#createReceiver(track, offer, 'video', {
      onPacket: (packet, monotonicMs) => reader.push(packet, monotonicMs),
      onGap: (monotonicMs) => reader.onGap(monotonicMs),
    });
    const tick = (monotonicMs: number) => {
      reader.tick(monotonicMs);
      if (this.#options.publish.wantsKeyframe) reader.requestKeyframeEarly(monotonicMs);
    };
    this.#receivers.push({ receiver, tick });
  }

  #receiveLayers(track: PeerTrack, offer: OfferedTrack, layers: OfferedLayers): void {
    const { now, publish } = this.#options;
    const packetOf = ({ key, payload, timestamp, arrivedAtMs }: ReceivedFrame): VideoPacket => {
      const dts = this.#msOf('video', timestamp, arrivedAtMs);
      return { kind: 'video', codec: 'avc', role: 'frame', dts, pts: dts, key, payload };
    };
    const video = new LayeredVideo({
      track: offer,
      layers,
      now,
      send: (packet) => void track.send(packet),
      onFrame: (frame) => this.#push(packetOf(frame)),
      onLayerFrame: (layer, frame) => publish.pushLayer(layer, packetOf(frame)),
      onSenderReport: (report) => this.#clock.addReport('video', report),
      onBye: () => this.#finishPublish(),
    });
    this.#video = video;
    const tick = (monotonicMs: number) => {
      if (publish.wantsKeyframe) video.requestKeyframeEarly(monotonicMs);
    };
    this.#receivers.push({ receiver: video, tick });
  }

  #receiveAudio(track: PeerTrack, offer: OfferedTrack): void {
    const receiver = this.#createReceiver(track, offer, 'audio', {
      onPacket: ({ payload, timestamp }) => this.#audio.push(payload, this.#msOf('audio', timestamp)),
      // The decoder conceals short gaps, and longer ones become silence.
      onGap: () => undefined,
    });
    this.#receivers.push({ receiver, tick: () => undefined });
  }

  #createReceiver(
    track: PeerTrack,
    { clockRate, payloadType }: OfferedTrack,
    kind: TrackKind,
    events: Pick<ConstructorParameters<typeof RtpReceiver>[0], 'onPacket' | 'onGap'>,
  ): RtpReceiver {
    return new RtpReceiver({
      clockRate,
      payloadType,
      ownSsrc: randomInt(1, 2 ** 32 - 1),
      ...events,
      send: (packet) => void track.send(packet),
      onSenderReport: (report) => this.#clock.addReport(kind, report),
      onBye: () => this.#finishPublish(),
    });
  }

  #finishPublish(): void {
    this.#isFinished = true;
    this.#options.publish.disconnect('finished');
  }

  #push(packet: MediaPacket): void {
    if (this.#startBuffer) this.#startBuffer.push(packet, this.#options.now());
    else this.#options.publish.push(packet);
  }

  #msOf(kind: TrackKind, timestamp: number, arrivedAtMs = this.#options.now()): number {
    const elapsedMs = this.#connectedAtMs === null ? 0 : arrivedAtMs - this.#timelineStartMs;
    return Math.round(this.#clock.msOf(kind, timestamp, elapsedMs));
  }
}

/**
 * The end of a publish whose connection ended. Only the client finishes a publish. When this side closes the connection, for
 * example at the end of its process, the publish is lost, because the client may reconnect.
 */
function publishEndOf(reason: PeerEnd, isFinished: boolean): PublishEnd {
  return reason === 'finished' || isFinished ? 'finished' : 'lost';
}
