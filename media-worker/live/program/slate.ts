import type { Clock } from '@/lib/infra/clock';
import {
  buildAvcRecord,
  readRecordParameterSets,
  type AvcParameterSets,
} from '@/media-worker/media/cmaf/avc-parameter-sets';
import { BitReader } from '@/media-worker/media/cmaf/bit-reader';
import {
  CodecDataError,
  codingOf,
  displaySize,
  isPackaged,
  parseAacConfig,
  parseAvcConfig,
} from '@/media-worker/media/cmaf/codec-config';
import { SILENT_UNITS } from '@/media-worker/media/packets/silent-units';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';

/** Everything that determines the encoded frames of a slate. */
export interface SlateSpec {
  /** Coded width, before `sar` stretches it. */
  readonly width: number;
  readonly height: number;
  readonly sar: { readonly num: number; readonly den: number };
  /** Frames per second. */
  readonly fps: number;
  /** Id of the slate's parameter sets, different from those of the encoder. */
  readonly parameterSetId: number;
  readonly title: string;
  /** Storage key of the picture that the team uploaded; null: the default picture. */
  readonly picture: string | null;
}

export interface SlateFrame {
  readonly key: boolean;
  readonly payload: Buffer;
}

/** A still picture, encoded once as a few GOPs that are repeated with new timestamps. */
export interface Slate {
  /** Configuration of the video (AVCDecoderConfigurationRecord, ISO/IEC 14496-15). */
  readonly record: Buffer;
  /**
   * Frames in decoding and display order. The first is a keyframe that differs from the keyframe before it in the repetition.
   */
  readonly frames: readonly SlateFrame[];
  readonly frameMs: number;
}

/** Makes a slate. Rejects if the slate cannot be made. */
export type MakeSlate = (spec: SlateSpec, signal: AbortSignal) => Promise<Slate>;

const MIN_FRAME_MS = 1_000 / 60;
const DEFAULT_FPS = 30;

/**
 * Creates the specification of a slate for an encoder with this configuration; null if the configuration cannot be
 * read.
 * @param fps frame rate of the encoder if its configuration has none; null: unknown
 */
export function createSlateSpec(
  { codec, payload: record }: Pick<VideoPacket, 'codec' | 'payload'>,
  fps: number | null,
  { title, picture }: Pick<SlateSpec, 'title' | 'picture'>,
): SlateSpec | null {
  try {
    if (!isPackaged(codec)) return null;
    const video = codingOf(codec).parse(record);
    const usedIds = codec === 'avc' ? readSetIds(readRecordParameterSets(record)) : new Set<number>();
    const parameterSetId = [1, 2, 3].find((id) => !usedIds.has(id)) ?? 4;
    const wholeFps = Math.round(video.fps ?? fps ?? DEFAULT_FPS);
    const limitedFps = Math.min(Math.max(wholeFps, 1), Math.round(1_000 / MIN_FRAME_MS));
    const { width, height, sar } = video;
    return { width, height, sar, fps: limitedFps, parameterSetId, title, picture };
  } catch (error) {
    if (error instanceof CodecDataError) return null;
    throw error;
  }
}

/**
 * Joins the configurations of an encoder and a slate into one that decodes both, so that neither needs a new init
 * segment; null if their sizes, codecs or parameter set ids conflict.
 */
export function joinRecords(
  { codec, payload: encoder }: Pick<VideoPacket, 'codec' | 'payload'>,
  slate: Buffer,
): Buffer | null {
  if (codec !== 'avc') return null;
  try {
    const [encoderConfig, slateConfig] = [parseAvcConfig(encoder), parseAvcConfig(slate)];
    const isSameWidth =
      encoderConfig.width === slateConfig.width &&
      displaySize(encoderConfig).width === displaySize(slateConfig).width;
    if (
      !isSameWidth ||
      encoderConfig.height !== slateConfig.height ||
      encoderConfig.nalLengthSize !== slateConfig.nalLengthSize
    )
      return null;
    const [encoderSets, slateSets] = [readRecordParameterSets(encoder), readRecordParameterSets(slate)];
    const usedIds = readSetIds(encoderSets);
    if ([...readSetIds(slateSets)].some((id) => usedIds.has(id))) return null;
    return buildAvcRecord(
      { sps: [...encoderSets.sps, ...slateSets.sps], pps: [...encoderSets.pps, ...slateSets.pps] },
      encoderConfig.nalLengthSize,
    );
  } catch (error) {
    if (error instanceof CodecDataError) return null;
    throw error;
  }
}

/**
 * Reads the ids of sequence and picture parameter sets. A slate uses one id for both. The id of an SPS follows three bytes of
 * profile and level.
 */
function readSetIds({ sps, pps }: AvcParameterSets): Set<number> {
  const spsIds = sps.map((set) => new BitReader(set.subarray(4), 'SPS').ue());
  const ppsIds = pps.map((set) => new BitReader(set.subarray(1), 'PPS').ue());
  return new Set([...spsIds, ...ppsIds]);
}

/** Interval at which the due frames are sent. */
const SEND_INTERVAL_MS = 100;

/** A silent AAC frame and its duration. */
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
  readonly #startedAtMs: number;
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
    this.#silence = audio && createSilence(audio);
    this.#emit = emit;
    this.#now = () => clock.monotonic();
    this.#startedAtMs = this.#now();
    this.#timer = setInterval(() => this.#play(), SEND_INTERVAL_MS);
    this.#play();
  }

  /** Whether silent frames can be made for this audio configuration. */
  static supportsSilence(record: Buffer): boolean {
    return createSilence(record) !== null;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #play(): void {
    const elapsedMs = this.#now() - this.#startedAtMs;
    for (let ms = this.#nextMs; ms <= elapsedMs; ms = this.#nextMs) {
      if (ms < this.#nextAudioMs) this.#emitVideo(Math.round(ms));
      else this.#emitAudio(Math.round(ms));
    }
  }

  get #nextVideoMs(): number {
    return this.#frameCount * this.#slate.frameMs;
  }

  get #nextAudioMs(): number {
    // Half a millisecond later than the video of the same time, because decoding begins with video.
    return this.#silence ? this.#silentFrameCount * this.#silence.frameMs + 0.5 : Infinity;
  }

  get #nextMs(): number {
    return Math.min(this.#nextVideoMs, this.#nextAudioMs);
  }

  #emitVideo(dts: number): void {
    const { frames } = this.#slate;
    const frame = frames[this.#frameCount++ % frames.length];
    if (frame) this.#emit({ kind: 'video', codec: 'avc', role: 'frame', dts, pts: dts, ...frame });
  }

  #emitAudio(dts: number): void {
    this.#silentFrameCount++;
    const fields = { kind: 'audio', codec: 'aac', role: 'frame', isFilled: true } as const;
    if (this.#silence) this.#emit({ ...fields, dts, pts: dts, payload: this.#silence.unit });
  }
}

/** Creates silence for an audio configuration; null if no silent frame is known for it. */
function createSilence(record: Buffer): Silence | null {
  try {
    const { channelConfiguration, samplesPerFrame, timescale } = parseAacConfig(record);
    const unit = SILENT_UNITS.get(channelConfiguration);
    // The silent frames were encoded as AAC-LC, which has 1,024 samples per frame.
    if (!unit || samplesPerFrame !== 1024) return null;
    return { frameMs: (samplesPerFrame * 1_000) / timescale, unit };
  } catch (error) {
    if (error instanceof CodecDataError) return null;
    throw error;
  }
}
