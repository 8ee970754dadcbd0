import { type CodedVideo, checkLiveVideo } from '@/lib/core/media/media-rules';
import {
  type AudioConfig,
  CodecDataError,
  type Tracks,
  codingOf,
  isPackaged,
  parseAacConfig,
} from '@/media-worker/media/cmaf/codec-config';
import type {
  AudioCodec,
  MediaPacket,
  VideoCodec,
  VideoPacket,
} from '@/media-worker/media/packets/media-packet';
import type { PackagerLimits } from './packager-limits';
import type { EmitPackagerEvent, IssueCode } from './packager-events';

const CODEC_NAMES: Readonly<Record<Exclude<VideoCodec | AudioCodec, 'unknown'>, string>> = {
  avc: 'H.264',
  hevc: 'HEVC',
  av1: 'AV1',
  vp9: 'VP9',
  aac: 'AAC',
  mp3: 'MP3',
  ac3: 'AC-3',
  eac3: 'E-AC-3',
  opus: 'Opus',
};

/** Maximum number of issues for a publisher that keeps sending invalid data. */
const MAX_REPORTS = 16;

/** Number of video frames without a configuration after which it is reported. */
const MAX_FRAMES_WITHOUT_CONFIG = 50;
const NO_VIDEO_CONFIG_MESSAGE =
  'the encoder sends video without its configuration (sequence header), so no video is shown; restart the encoder';

/** The configurations of the tracks that a publisher sends, and why tracks are left out or the publish is rejected. */
export class TrackConfigs {
  readonly #emit: EmitPackagerEvent;
  /** Why each track is left out. */
  readonly #trackProblems = new Map<'video' | 'audio', string>();
  readonly #reportedErrors = new Set<string>();
  #reportCount = 0;
  #tracks: Tracks = { video: undefined, audio: undefined };
  #rejection: string | undefined;
  #framesWithoutConfig = 0;

  constructor(emit: EmitPackagerEvent) {
    this.#emit = emit;
  }

  /** The current configurations. A field changes its identity only when its bytes change. */
  get tracks(): Tracks {
    return this.#tracks;
  }

  /** Why this publish is rejected; undefined if it is not. The same video limits apply to uploads. */
  get rejection(): string | undefined {
    return this.#rejection;
  }

  get hasUsableTrack(): boolean {
    return this.#tracks.video !== undefined || this.#tracks.audio !== undefined;
  }

  /** Whether each track is configured or left out, so that the wait for tracks can end. */
  get isSettled(): boolean {
    const isDecided = (kind: 'video' | 'audio') =>
      this.#tracks[kind] !== undefined || this.#trackProblems.has(kind);
    return isDecided('video') && isDecided('audio');
  }

  /** Why tracks are left out, as one message; undefined if all are packaged. */
  get trackProblem(): string | undefined {
    return this.#trackProblems.size > 0 ? [...this.#trackProblems.values()].join('; ') : undefined;
  }

  /**
   * Records a packet.
   * @returns whether it is a frame that the current configuration decodes
   */
  addPacket(packet: MediaPacket): boolean {
    if (!isAccepted(packet)) {
      this.#rejectCodec(packet);
      return false;
    }
    if (packet.role === 'config') {
      this.#configure(packet);
      return false;
    }
    if (packet.kind === 'video') return this.#acceptVideo(packet);
    return packet.payload.length > 0 && this.#tracks.audio !== undefined;
  }

  #acceptVideo({ codec, payload }: VideoPacket): boolean {
    const { video } = this.#tracks;
    if (!video) this.#reportMissingVideoConfig();
    if (video?.coding !== codec) return false;
    this.#checkSequences(codingOf(codec).sequencesIn(payload, video.nalLengthSize));
    return payload.length > 0;
  }

  #reportMissingVideoConfig(): void {
    this.#framesWithoutConfig += 1;
    if (this.#framesWithoutConfig !== MAX_FRAMES_WITHOUT_CONFIG || this.#trackProblems.has('video')) return;
    this.#reportedErrors.add(NO_VIDEO_CONFIG_MESSAGE);
    this.#emit({ type: 'issue', code: 'bad_config', message: NO_VIDEO_CONFIG_MESSAGE });
  }

  #checkSequences(sequences: readonly CodedVideo[]): void {
    for (const sequence of sequences) this.#rejection ??= checkLiveVideo(sequence) ?? undefined;
  }

  #rejectCodec({ kind, codec }: MediaPacket): void {
    const codecLabel = codec === 'unknown' ? 'not recognised' : CODEC_NAMES[codec];
    const message =
      kind === 'video'
        ? `video codec is ${codecLabel}; H.264, HEVC and AV1 are accepted`
        : `audio codec is ${codecLabel}; AAC, MP3, AC-3 and Opus are accepted`;
    // A single packet of an unknown codec does not end working video.
    if (kind === 'video' && (codec !== 'unknown' || !this.#tracks.video)) this.#rejection ??= message;
    else this.#reportTrackProblem(kind, 'unsupported_codec', message);
  }

  /** Applies a configuration. Many encoders repeat theirs; only different bytes are a change. */
  #configure(packet: MediaPacket): void {
    const { kind, payload } = packet;
    if (this.#tracks[kind]?.record.equals(payload) === true) return;
    try {
      if (packet.kind === 'video' && isPackaged(packet.codec)) {
        const video = codingOf(packet.codec).parse(payload);
        this.#checkSequences(video.sequences);
        if (this.#rejection === undefined) this.#tracks = { ...this.#tracks, video };
      } else this.#tracks = { ...this.#tracks, audio: parsePacketConfig(packet) };
      if (!('isFilled' in packet)) this.#acceptTrack(kind);
    } catch (error) {
      if (!(error instanceof CodecDataError)) throw error;
      this.#reportInvalid(kind, error.message);
    }
  }

  /** Marks the track as packageable, which resolves its earlier issues. */
  #acceptTrack(kind: 'video' | 'audio'): void {
    if (kind === 'video') this.#resolve(NO_VIDEO_CONFIG_MESSAGE);
    const message = this.#trackProblems.get(kind);
    if (message === undefined) return;
    this.#trackProblems.delete(kind);
    this.#resolve(message);
  }

  #resolve(message: string): void {
    if (this.#reportedErrors.delete(message)) this.#emit({ type: 'resolved', message });
  }

  /** A working track keeps its configuration, because only the new header may be damaged. */
  #reportInvalid(kind: 'video' | 'audio', reason: string): void {
    this.#reportTrackProblem(kind, 'bad_config', `${kind} configuration is unusable: ${reason}`);
  }

  #reportTrackProblem(kind: 'video' | 'audio', code: IssueCode, message: string): void {
    this.#trackProblems.set(kind, message);
    if (this.#reportedErrors.has(message) || this.#reportCount >= MAX_REPORTS) return;
    this.#reportCount += 1;
    this.#reportedErrors.add(message);
    this.#emit({ type: 'issue', code, message });
  }
}

/** Whether media of this codec is packaged. */
export const isAccepted = ({ kind, codec }: MediaPacket): boolean =>
  kind === 'video' ? isPackaged(codec) : codec === 'aac';

function parsePacketConfig(packet: MediaPacket): AudioConfig {
  const audio = parseAacConfig(packet.payload);
  return packet.kind === 'audio' && packet.isFilled ? { ...audio, isFilled: true } : audio;
}

/** A packet and the wall clock of its arrival, ms since 1970. */
export interface Arrival {
  readonly packet: MediaPacket;
  readonly wallClockMs: number;
}

/** `rejected`: no usable track arrived within the limit. */
type WaitVerdict = 'wait' | 'start' | 'rejected';

/**
 * Holds the first packets until the tracks are known: an init segment cannot be changed later, and FLV headers may
 * announce tracks that never arrive.
 */
export class TrackWait {
  readonly #limits: PackagerLimits;
  #arrivals: Arrival[] = [];
  #tracks: Tracks = { video: undefined, audio: undefined };
  #bytes = 0;
  #packetCount = 0;
  #firstDts: number | undefined;
  #waitedMediaMs = 0;

  constructor(limits: PackagerLimits) {
    this.#limits = limits;
  }

  /**
   * Adds a packet that `configs` has already recorded.
   * @param isUsable whether the packet is a frame that can be decoded
   */
  add(arrival: Arrival, isUsable: boolean, configs: TrackConfigs): WaitVerdict {
    const { packet } = arrival;
    this.#packetCount++;
    if (this.#tracks[packet.kind] !== configs.tracks[packet.kind]) {
      // Frames of a configuration replaced during the wait match no init segment.
      this.#arrivals = this.#arrivals.filter((arrival) => arrival.packet.kind !== packet.kind);
      this.#tracks = configs.tracks;
    }
    if (packet.role === 'frame') {
      this.#firstDts ??= packet.dts;
      this.#waitedMediaMs = Math.max(this.#waitedMediaMs, Math.abs(packet.dts - this.#firstDts));
    }
    if (isUsable) {
      this.#arrivals.push(arrival);
      this.#bytes += packet.payload.length;
    }
    return this.#verdict(configs);
  }

  /** Removes and returns the held packets in order of arrival. */
  drain(): readonly Arrival[] {
    const arrivals = this.#arrivals;
    this.#arrivals = [];
    return arrivals;
  }

  #verdict(configs: TrackConfigs): WaitVerdict {
    const limits = this.#limits;
    const isFull = this.#bytes > limits.maxWaitingBytes || this.#packetCount > limits.maxWaitingPackets;
    if (configs.isSettled || isFull || this.#waitedMediaMs >= limits.secondTrackWaitMs) {
      if (configs.hasUsableTrack) return 'start';
      if (isFull || configs.trackProblem !== undefined) return 'rejected';
    }
    return this.#waitedMediaMs >= limits.firstTrackWaitMs ? 'rejected' : 'wait';
  }
}
