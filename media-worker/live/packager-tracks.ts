import { refusalOfLivePicture, type CodedPicture } from '@/lib/core/media-rules';
import { CodecConfigError, parseAacConfig, parseAvcConfig, picturesInFrame } from '../cmaf/codec-config';
import type { Tracks } from '../cmaf/codec-config';
import type { AudioCodec, MediaPacket, VideoCodec } from '../ingest/media-packet';
import type { EmitPackagerEvent, IssueCode } from './packager-events';

const CODEC_NAMES: Readonly<Record<Exclude<VideoCodec | AudioCodec, 'unknown'>, string>> = {
  avc: 'H.264',
  hevc: 'HEVC',
  av1: 'AV1',
  vp9: 'VP9',
  aac: 'AAC',
  mp3: 'MP3',
  opus: 'Opus',
};

/** Most log lines for a publisher that keeps sending invalid data. */
const MOST_REPORTS = 16;

/** Follows which tracks a publisher really sends and how they are configured. */
export class TrackConfigs {
  readonly #emit: EmitPackagerEvent;
  readonly #refusals = new Map<'video' | 'audio', string>();
  readonly #reported = new Set<string>();
  #tracks: Tracks = { video: undefined, audio: undefined };
  #rejection: string | undefined;

  constructor(emit: EmitPackagerEvent) {
    this.#emit = emit;
  }

  /** The configurations now in force. A field changes its identity only when its bytes change. */
  get tracks(): Tracks {
    return this.#tracks;
  }

  /** Why this publish is rejected: the same video limits apply to uploads. */
  get rejection(): string | undefined {
    return this.#rejection;
  }

  get usable(): boolean {
    return this.#tracks.video !== undefined || this.#tracks.audio !== undefined;
  }

  /** Both tracks are decided over: nothing is left to wait for. */
  get settled(): boolean {
    const decided = (kind: 'video' | 'audio') => this.#tracks[kind] !== undefined || this.#refusals.has(kind);
    return decided('video') && decided('audio');
  }

  /** Why tracks were left out, as one sentence; undefined when none was. */
  get refusal(): string | undefined {
    return this.#refusals.size > 0 ? [...this.#refusals.values()].join('; ') : undefined;
  }

  /** Takes note of a packet; true when it is a frame that the known configuration decodes. */
  accept(packet: MediaPacket): boolean {
    const accepted = packet.kind === 'video' ? 'avc' : 'aac';
    if (packet.codec !== accepted) {
      this.#refuse(packet);
      return false;
    }
    if (packet.role === 'config') {
      this.#configure(packet);
      return false;
    }
    if (packet.kind === 'video') this.#judgeFrame(packet.payload);
    return packet.payload.length > 0 && this.#tracks[packet.kind] !== undefined;
  }

  #judgeFrame(frame: Buffer): void {
    const { video } = this.#tracks;
    if (video) this.#judge(picturesInFrame(frame, video.nalLengthSize));
  }

  #judge(pictures: readonly CodedPicture[]): void {
    for (const picture of pictures) this.#rejection ??= refusalOfLivePicture(picture) ?? undefined;
  }

  #refuse({ kind, codec }: MediaPacket): void {
    const found = codec === 'unknown' ? 'not recognised' : CODEC_NAMES[codec];
    const message = `${kind} codec is ${found}; ${kind === 'video' ? 'H.264' : 'AAC'} is accepted`;
    // A stray packet of no known kind ends no picture that works.
    if (kind === 'video' && (codec !== 'unknown' || !this.#tracks.video)) this.#rejection ??= message;
    else this.#leaveOut(kind, 'unsupported_codec', message);
  }

  /** Many encoders repeat their headers; only new bytes are a change. */
  #configure({ kind, payload }: MediaPacket): void {
    if (this.#tracks[kind]?.record.equals(payload) === true) return;
    try {
      if (kind === 'video') {
        const video = parseAvcConfig(payload);
        this.#judge(video.pictures);
        if (this.#rejection === undefined) this.#tracks = { ...this.#tracks, video };
      } else this.#tracks = { ...this.#tracks, audio: parseAacConfig(payload) };
      this.#refusals.delete(kind);
    } catch (error) {
      if (!(error instanceof CodecConfigError)) throw error;
      this.#misconfigured(kind, error.message);
    }
  }

  /** A track that works keeps its configuration: the broken header may be all that is broken. */
  #misconfigured(kind: 'video' | 'audio', reason: string): void {
    this.#leaveOut(kind, 'bad_config', `${kind} configuration is unusable: ${reason}`);
  }

  #leaveOut(kind: 'video' | 'audio', code: IssueCode, message: string): void {
    this.#refusals.set(kind, message);
    if (this.#reported.has(message) || this.#reported.size >= MOST_REPORTS) return;
    this.#reported.add(message);
    this.#emit({ type: 'issue', code, message });
  }
}
