import { randomBytes, randomInt } from 'node:crypto';
import {
  AV1RtpPacketizer,
  Audio,
  H264RtpPacketizer,
  H265RtpPacketizer,
  RtcpNackResponder,
  RtcpSrReporter,
  type RtpPacketizer,
  RtpPacketizationConfig,
  Video,
} from 'node-datachannel';
import type { Clock } from '@/lib/infra/clock';
import { metrics } from '@/lib/infra/metrics/metrics';
import type { VideoPacket } from '@/media-worker/media/packets/media-packet';
import type { Peer, PeerTrack } from '@/media-worker/rtc/peer';
import type { SdpCodec } from '@/media-worker/rtc/sdp';
import type { ChosenCodec, ChosenCodecs } from './choose-codecs';
import { parseFeedback, type ViewerFeedback } from './rtcp';
import { AudioSender, type ReportedVideo } from './audio-sender';
import type { FeedViewer } from './viewer-feed';
import { VideoSender } from './video-sender';

export interface WhepViewerOptions {
  readonly codecs: ChosenCodecs;
  readonly clock: Pick<Clock, 'monotonic' | 'now'>;
  readonly cachedFrames: () => readonly VideoPacket[];
  /**
   * Called with feedback about the video, or about the audio if there is no video. Without this callback, cached
   * frames are sent again in response to keyframe requests.
   */
  readonly onFeedback?: (feedback: ViewerFeedback) => void;
  /** Ends the viewer's connection. */
  readonly close: () => void;
}

const VIDEO_CLOCK_RATE = 90_000;
/** Bytes of one fragment: with all headers it fits the smallest common MTU. */
const FRAGMENT_BYTES = 1_180;
/** Packets kept for retransmission: about 3 s of 6 Mbit/s, which contain a whole GOP of most streams. */
const RETRANSMISSION_PACKETS = 2_048;
/** Name of the media stream in the SDP (`msid`), which players show nowhere. */
const streamName = 'live';

const createRandomUint32 = (): number => randomInt(1, 2 ** 32 - 1);

/** The sending side of one connection: its tracks and the senders of their media. */
export class WhepViewer implements FeedViewer {
  readonly #options: WhepViewerOptions;
  /** A random CNAME, which reveals nothing about this machine. */
  readonly #cname = randomBytes(12).toString('base64url');
  #video: VideoSender | null = null;
  #audio: AudioSender | null = null;
  #reportedVideo: ReportedVideo | null = null;

  constructor(options: WhepViewerOptions) {
    this.#options = options;
  }

  get takesAudio(): boolean {
    return this.#options.codecs.audio !== null;
  }

  /** Adds the tracks. Called before the offer or answer of this side. */
  addTracks(peer: Peer): void {
    const { video, audio } = this.#options.codecs;
    if (video) this.#video = this.#prepareVideo(peer, video);
    if (audio) this.#audio = this.#prepareAudio(peer, audio);
  }

  /** Starts sending, once the viewer is connected. */
  start(): void {
    this.#video?.start();
  }

  resume(): void {
    this.#video?.start();
  }

  stop(): void {
    this.#video?.close();
  }

  sendVideo(packet: VideoPacket): void {
    this.#video?.push(packet);
  }

  sendAudio(packet: Buffer, ptsMs: number): void {
    this.#audio?.push(packet, ptsMs);
  }

  end(): void {
    this.#options.close();
  }

  #prepareVideo(peer: Peer, { media, codec }: ChosenCodec): VideoSender {
    const { clock, cachedFrames, codecs, onFeedback } = this.#options;
    const [ssrc, timestampOffset] = [createRandomUint32(), createRandomUint32()];
    const counts = { packets: 0, bytes: 0 };
    this.#reportedVideo = { ssrc, timestampOffset, ...counts };
    const description = new Video(media.mid, 'SendOnly');
    description.addVideoCodec(codec.payloadType, codec.name, formatParameters(codec));
    description.addSSRC(ssrc, this.#cname, streamName, 'video');
    const track = peer.addTrack(description);
    const config = new RtpPacketizationConfig(ssrc, this.#cname, codec.payloadType, VIDEO_CLOCK_RATE);
    const packetizer = createPacketizer(codec, config);
    // Without audio, the library sends the sender reports. With audio, `AudioSender` sends those of both tracks.
    if (!codecs.audio) packetizer.addToChain(new RtcpSrReporter(config));
    packetizer.addToChain(new RtcpNackResponder(RETRANSMISSION_PACKETS));
    track.native.setMediaHandler(packetizer);
    const sender = new VideoSender({
      sink: {
        send: (frame, timestamp) => {
          counts.packets += Math.ceil(frame.length / FRAGMENT_BYTES);
          counts.bytes += frame.length;
          this.#reportedVideo = { ssrc, timestampOffset, ...counts };
          return sendFrame(track, config, frame, timestamp);
        },
      },
      timestampOffset,
      cachedFrames,
      now: () => clock.monotonic(),
      onDropped: (frames) => metrics.droppedPackets.inc({ reader: 'webrtc' }, frames),
    });
    track.onPacket((packet) => {
      const feedback = parseFeedback(packet);
      if (onFeedback) onFeedback(feedback);
      else if (feedback.needsKeyframe) sender.onKeyframeRequest();
    });
    return sender;
  }

  #prepareAudio(peer: Peer, { media, codec }: ChosenCodec): AudioSender {
    const { clock } = this.#options;
    const ssrc = createRandomUint32();
    const description = new Audio(media.mid, 'SendOnly');
    description.addOpusCodec(codec.payloadType, 'minptime=10;useinbandfec=0;stereo=1;sprop-stereo=1');
    description.addSSRC(ssrc, this.#cname, streamName, 'audio');
    const track = peer.addTrack(description);
    const { onFeedback } = this.#options;
    if (onFeedback && !this.#video) track.onPacket((packet) => onFeedback(parseFeedback(packet)));
    return new AudioSender({
      send: (packet) => void track.send(packet),
      ssrc,
      payloadType: codec.payloadType,
      timestampOffset: createRandomUint32(),
      firstSequence: randomInt(0, 2 ** 16),
      videoSendTimeOffsetMs: () => this.#video?.sendTimeOffsetMs ?? null,
      video: () => this.#reportedVideo,
      monotonicNow: () => clock.monotonic(),
      wallClockNow: () => clock.now().getTime(),
    });
  }
}

function sendFrame(
  track: PeerTrack,
  config: RtpPacketizationConfig,
  frame: Buffer,
  timestamp: number,
): boolean {
  config.timestamp = timestamp;
  return track.send(frame);
}

function createPacketizer({ name }: SdpCodec, config: RtpPacketizationConfig): RtpPacketizer {
  if (name === 'H265') return new H265RtpPacketizer('Length', config, FRAGMENT_BYTES);
  if (name === 'AV1') return new AV1RtpPacketizer('TemporalUnit', config, FRAGMENT_BYTES);
  return new H264RtpPacketizer('Length', config, FRAGMENT_BYTES);
}

const formatParameters = ({ parameters }: SdpCodec): string =>
  Array.from(parameters, ([name, value]) => `${name}=${value}`).join(';');
