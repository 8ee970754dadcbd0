import type { Clock } from '@/lib/infra/clock';
import {
  avcRecord,
  parameterSetsOfRecord,
  type AvcParameterSets,
} from '@/media-worker/media/cmaf/avc-parameter-sets';
import { BitReader } from '@/media-worker/media/cmaf/bit-reader';
import {
  CodecConfigError,
  codingOf,
  displaySize,
  isPackaged,
  parseAacConfig,
  parseAvcConfig,
} from '@/media-worker/media/cmaf/codec-config';
import { SILENT_UNITS } from '@/media-worker/media/packets/silent-units';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';

export interface SlateSpec {
  /** Coded width, before `sar` stretches it. */
  readonly width: number;
  readonly height: number;
  readonly sar: { readonly num: number; readonly den: number };
  /** Frames per second. */
  readonly fps: number;
  /** Id of the slate's parameter sets, different from those of the encoder. */
  readonly setId: number;
  readonly title: string;
  /** Picture uploaded by the team; null: the default picture. */
  readonly picture: string | null;
}

export interface SlateFrame {
  readonly key: boolean;
  readonly payload: Buffer;
}

/** A still picture, encoded once as a few GOPs that are repeated with new timestamps. */
export interface Slate {
  readonly record: Buffer;
  /**
   * Frames in decoding and display order. The first is a keyframe that differs from the keyframe before it in the repetition.
   */
  readonly frames: readonly SlateFrame[];
  readonly frameMs: number;
}

/** Makes a slate. Rejects if it cannot be made. */
export type MakeSlate = (spec: SlateSpec, signal: AbortSignal) => Promise<Slate>;

const minFrameMs = 1_000 / 60;
const usualFps = 30;

/** The specification of a slate for an encoder with this configuration; null if its video is unknown. */
export function slateSpecOf(
  { codec, payload: record }: Pick<VideoPacket, 'codec' | 'payload'>,
  fps: number | null,
  { title, picture }: Pick<SlateSpec, 'title' | 'picture'>,
): SlateSpec | null {
  try {
    if (!isPackaged(codec)) return null;
    const video = codingOf(codec).parse(record);
    const usedIds = codec === 'avc' ? setIds(parameterSetsOfRecord(record)) : new Set<number>();
    const setId = [1, 2, 3].find((id) => !usedIds.has(id)) ?? 4;
    const rate = Math.round(video.fps ?? fps ?? usualFps);
    const pace = Math.min(Math.max(rate, 1), Math.round(1_000 / minFrameMs));
    const { width, height, sar } = video;
    return { width, height, sar, fps: pace, setId, title, picture };
  } catch (error) {
    if (error instanceof CodecConfigError) return null;
    throw error;
  }
}

/**
 * One configuration that decodes the pictures of both an encoder and a slate, so that neither needs a new init segment;
 * null where their sizes, codecs or parameter set ids conflict.
 */
export function joinedRecord(
  { codec, payload: encoder }: Pick<VideoPacket, 'codec' | 'payload'>,
  slate: Buffer,
): Buffer | null {
  if (codec !== 'avc') return null;
  try {
    const [encoderConfig, slateConfig] = [parseAvcConfig(encoder), parseAvcConfig(slate)];
    const isAlike =
      encoderConfig.width === slateConfig.width &&
      displaySize(encoderConfig).width === displaySize(slateConfig).width;
    if (
      !isAlike ||
      encoderConfig.height !== slateConfig.height ||
      encoderConfig.nalLengthSize !== slateConfig.nalLengthSize
    )
      return null;
    const [sets, more] = [parameterSetsOfRecord(encoder), parameterSetsOfRecord(slate)];
    const usedIds = setIds(sets);
    if ([...setIds(more)].some((id) => usedIds.has(id))) return null;
    return avcRecord(
      { sps: [...sets.sps, ...more.sps], pps: [...sets.pps, ...more.pps] },
      encoderConfig.nalLengthSize,
    );
  } catch (error) {
    if (error instanceof CodecConfigError) return null;
    throw error;
  }
}

/** Ids of sequence and picture parameter sets; a slate uses one id for both. */
function setIds({ sps, pps }: AvcParameterSets): Set<number> {
  const ofSequence = sps.map((set) => new BitReader(set.subarray(4), 'SPS').ue());
  const ofPicture = pps.map((set) => new BitReader(set.subarray(1), 'PPS').ue());
  return new Set([...ofSequence, ...ofPicture]);
}

const tickMs = 100;

interface Silence {
  readonly frameMs: number;
  readonly unit: Buffer;
}

/** Repeats a slate in real time with silent audio until it is stopped. No encoder process runs. */
export class SlatePlayer {
  readonly #slate: Slate;
  readonly #silence: Silence | null;
  readonly #emit: (packet: MediaPacket) => void;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #timer: NodeJS.Timeout;
  #frameCount = 0;
  #silentFrameCount = 0;

  /** @param audio configuration of the program's audio; null: the program has no audio */
  constructor(
    slate: Slate,
    audio: Buffer | null,
    emit: (packet: MediaPacket) => void,
    clock: Pick<Clock, 'monotonic'>,
  ) {
    this.#slate = slate;
    this.#silence = audio && silenceOf(audio);
    this.#emit = emit;
    this.#now = () => clock.monotonic();
    this.#startedAt = this.#now();
    this.#timer = setInterval(() => this.#play(), tickMs);
    this.#play();
  }

  /** Whether silent frames can be made for this audio configuration. */
  static supportsSilence(record: Buffer): boolean {
    return silenceOf(record) !== null;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #play(): void {
    const until = this.#now() - this.#startedAt;
    for (let ms = this.#next; ms <= until; ms = this.#next) {
      if (ms < this.#nextAudioMs) this.#videoFrame(Math.round(ms));
      else this.#audioFrame(Math.round(ms));
    }
  }

  get #nextVideoMs(): number {
    return this.#frameCount * this.#slate.frameMs;
  }

  get #nextAudioMs(): number {
    // Send the video first, because decoding begins with it.
    return this.#silence ? this.#silentFrameCount * this.#silence.frameMs + 0.5 : Infinity;
  }

  get #next(): number {
    return Math.min(this.#nextVideoMs, this.#nextAudioMs);
  }

  #videoFrame(dts: number): void {
    const { frames } = this.#slate;
    const frame = frames[this.#frameCount++ % frames.length];
    if (frame) this.#emit({ kind: 'video', codec: 'avc', role: 'frame', dts, pts: dts, ...frame });
  }

  #audioFrame(dts: number): void {
    this.#silentFrameCount++;
    const about = { kind: 'audio', codec: 'aac', role: 'frame', isFilled: true } as const;
    if (this.#silence) this.#emit({ ...about, dts, pts: dts, payload: this.#silence.unit });
  }
}

/** Null for codecs without a known silent frame. */
function silenceOf(record: Buffer): Silence | null {
  try {
    const { channelConfiguration, samplesPerFrame, timescale } = parseAacConfig(record);
    const unit = SILENT_UNITS.get(channelConfiguration);
    if (!unit || samplesPerFrame !== 1024) return null;
    return { frameMs: (samplesPerFrame * 1_000) / timescale, unit };
  } catch (error) {
    if (error instanceof CodecConfigError) return null;
    throw error;
  }
}
