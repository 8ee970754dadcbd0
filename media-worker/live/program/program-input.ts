import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import type {
  EncoderFacts,
  EncoderReport,
  ProgramInput as InputName,
} from '@/lib/core/streams/program-state';
import type { Publisher } from '@/lib/core/streams/publish-admission';
import type { Clock } from '@/lib/infra/clock';
import { displaySize } from '@/media-worker/media/cmaf/codec-config';
import { correctAudioConfig } from '@/media-worker/media/packets/correct-audio-config';
import { guessAudioConfig } from '@/media-worker/media/packets/guess-audio-config';
import { emitChangedConfigs } from '@/media-worker/media/packets/announce-parameter-sets';
import { withCodedFrames } from '@/media-worker/media/packets/coded-frames';
import { GopCache } from '@/media-worker/media/packets/gop-cache';
import { MAX_LAYERS } from '@/media-worker/media/packets/layer-tag';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import type {
  PublishEnd,
  PublishIds,
  PublisherConnection,
  PublishSink,
} from '@/media-worker/media/packets/publish';
import { withMonotonicTimestamps } from '@/media-worker/media/packets/monotonic-timestamps';
import { isAccepted, TrackConfigs } from '@/media-worker/media/packaging/packager-tracks';
import { withSteadyAudio } from '@/media-worker/media/packets/steady-audio';
import { withoutStreamFraming } from '@/media-worker/media/packets/without-stream-framing';
import { UsualDelay } from './usual-delay';
import { RateMeter } from './rate-meter';

export type EncoderRole = Exclude<InputName, 'slate'>;

export interface ProgramInputOptions {
  readonly role: EncoderRole;
  readonly connection: PublisherConnection;
  readonly clock: Clock;
  /** Ids of the stream and session for the log of the connection. */
  readonly ids: PublishIds;
  readonly onAnnounce: (tracks: AnnouncedTracks) => void;
  /** Receives every packet of the encoder, with corrected configurations and timestamps. */
  readonly onPacket: (packet: MediaPacket) => void;
  /** Returns whether viewers get this encoder. */
  readonly isOnAir: () => boolean;
  /**
   * Receives the packets of smaller layers while the encoder is on air.
   * @param layer number of the layer, from 1
   */
  readonly onLayer: (layer: number, packet: VideoPacket) => void;
  /** Called once a second with the milliseconds since the last media. */
  readonly onMedia: (silentMs: number) => void;
  readonly onEnd: (reason: PublishEnd) => void;
}

/** Interval at which the silence of the publisher is checked. */
const CHECK_INTERVAL_MS = 1_000;
/** A publisher that sends nothing for this long is considered dead, even if its socket is open. */
const SILENCE_LIMIT_MS = 10_000;
/** A pause between frames of at least this length restarts the measurement of steady media. */
const PAUSE_MS = 1_000;
/** An encoder without video counts as audio-only after this time. */
const AUDIO_ONLY_MS = 5_000;
const GOP_BYTES = 8 * 1024 * 1024;

/** One encoder of a program: its packets on a continuous timeline, its tracks, and its current GOP. */
export class ProgramInput {
  readonly role: EncoderRole;
  readonly connection: PublisherConnection;
  /** The sink to which the connection delivers its packets. */
  readonly sink: PublishSink;
  /** Unix milliseconds. */
  readonly connectedAt: number;
  readonly #options: ProgramInputOptions;
  readonly #gop = new GopCache(GOP_BYTES);
  readonly #delay: UsualDelay;
  readonly #rate: RateMeter;
  readonly #configs = new TrackConfigs(() => undefined);
  readonly #checkTimer: NodeJS.Timeout;
  readonly #startedAtMs: number;
  /** When the current media without pauses began, in monotonic milliseconds. */
  #steadySinceMs: number;
  #lastFrameAtMs: number;
  #isShown = false;
  #announcedTracks: AnnouncedTracks | null = null;
  #hasAudio = false;

  constructor(options: ProgramInputOptions) {
    const { role, connection, clock } = options;
    this.#options = options;
    this.role = role;
    this.connection = connection;
    this.connectedAt = clock.now().getTime();
    this.#startedAtMs = this.#steadySinceMs = this.#lastFrameAtMs = clock.monotonic();
    this.#delay = new UsualDelay();
    this.#rate = new RateMeter(this.#startedAtMs);
    const packetSink: PublishSink = {
      ids: options.ids,
      announce: (tracks) => {
        this.#announcedTracks = tracks;
        options.onAnnounce(tracks);
      },
      push: (packet) => this.#receive(packet),
      end: (reason) => {
        clearInterval(this.#checkTimer);
        options.onEnd(reason);
      },
    };
    this.sink = {
      ...withoutStreamFraming(
        withMonotonicTimestamps(
          withCodedFrames(
            emitChangedConfigs(guessAudioConfig(correctAudioConfig(withSteadyAudio(packetSink, clock)))),
          ),
          clock,
        ),
      ),
      pushLayer: withLayerConfigs((layer, packet) => {
        if (options.isOnAir()) options.onLayer(layer, packet);
      }),
    };
    this.#checkTimer = setInterval(() => this.#checkSilence(), CHECK_INTERVAL_MS);
  }

  get silentMs(): number {
    return this.connection.silentMs();
  }

  get publisher(): Publisher {
    return { source: this.connection.source, silentMs: this.silentMs };
  }

  /** The state that decides which input is on air. */
  get facts(): EncoderFacts {
    const now = this.#options.clock.monotonic();
    const isSteady = now - this.#lastFrameAtMs < PAUSE_MS;
    return {
      silentMs: this.silentMs,
      steadyMs: isSteady ? now - this.#steadySinceMs : 0,
      ready: this.frames.length > 0 || this.#isAudioOnly(now),
    };
  }

  /** The state that the dashboard shows. */
  get report(): EncoderReport {
    const { bitrate, fps } = this.#rate.takeRates(this.#options.clock.monotonic());
    const { video } = this.#configs.tracks;
    const { width, height } = video ? displaySize(video) : { width: null, height: null };
    const { connectedAt, silentMs } = this;
    return { connectedAt, bitrate, width, height, fps: video ? fps : null, silentMs: Math.round(silentMs) };
  }

  /** Whether media of this input has been published to viewers. */
  get isShown(): boolean {
    return this.#isShown;
  }

  /** Tracks that the encoder has announced; null before the announcement. */
  get announced(): AnnouncedTracks | null {
    return this.#announcedTracks;
  }

  /** Records that media of this input has been published to viewers. */
  markShown(): void {
    this.#isShown = true;
  }

  /** Configuration packets of the encoder. */
  get configs(): MediaPacket[] {
    return this.#gop.snapshot().filter(({ role }) => role === 'config');
  }

  /** The current GOP of the encoder. */
  get frames(): VideoPacket[] {
    return this.#gop.snapshot().filter(isVideoFrame);
  }

  /** The reason why its media would be rejected on air; undefined if it would be accepted. */
  get rejection(): string | undefined {
    return this.#configs.rejection;
  }

  /** Whether the newest packet arrived without delay. The program does not switch to an input whose packets are late. */
  get isPunctual(): boolean {
    return this.#delay.isUsual;
  }

  /** Whether the program can switch to this encoder at this packet. */
  isEntry(packet: MediaPacket): boolean {
    if (packet.role !== 'frame' || !this.isPunctual) return false;
    return packet.kind === 'video' ? packet.key : this.#isAudioOnly(this.#options.clock.monotonic());
  }

  #isAudioOnly(now: number): boolean {
    return this.#hasAudio && !this.#configs.tracks.video && now - this.#startedAtMs >= AUDIO_ONLY_MS;
  }

  #receive(packet: MediaPacket): void {
    const now = this.#options.clock.monotonic();
    if (packet.role === 'frame') {
      if (now - this.#lastFrameAtMs >= PAUSE_MS) this.#steadySinceMs = now;
      this.#lastFrameAtMs = now;
      this.#hasAudio ||= packet.kind === 'audio';
      this.#delay.add(packet, now);
    }
    if (packet.role === 'config' || !isAccepted(packet)) this.#configs.addPacket(packet);
    this.#rate.add(packet, now);
    this.#gop.add(packet);
    this.#options.onPacket(packet);
  }

  #checkSilence(): void {
    const { silentMs } = this;
    this.#options.onMedia(silentMs);
    if (silentMs >= SILENCE_LIMIT_MS) this.connection.disconnect('lost');
  }
}

/**
 * Adds the configuration of each layer before its first keyframe, and before keyframes with other parameter sets. Layers with
 * numbers above the limit are ignored.
 */
function withLayerConfigs(onLayer: ProgramInputOptions['onLayer']): NonNullable<PublishSink['pushLayer']> {
  const sinks = Array.from({ length: MAX_LAYERS }, (_, index) =>
    withCodedFrames(
      emitChangedConfigs({
        push: (packet) => {
          if (packet.kind === 'video') onLayer(index + 1, packet);
        },
        end: () => undefined,
      }),
    ),
  );
  return (layer, packet) => sinks[layer - 1]?.push(packet);
}

const isVideoFrame = (packet: MediaPacket): packet is VideoPacket =>
  packet.kind === 'video' && packet.role === 'frame';
