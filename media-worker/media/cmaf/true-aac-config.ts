import { AAC_RATES, type AudioConfig, buildAacRecord, buildHeAacRecord } from './aac-config';

/** An audio frame from the start of a track. */
export interface AacFrame {
  /** Decode time, ms. */
  readonly dts: number;
  /** One AAC access unit. */
  readonly payload: Buffer;
}

/**
 * Tolerance of the frame duration for a correct configuration, as a fraction of the configured duration: timestamps
 * are rounded.
 */
const MATCH_TOLERANCE = 0.3;
/** Tolerance around twice or half the configured frame duration, which indicates another sample rate. */
const RATE_ERROR_TOLERANCE = 0.1;
/**
 * Share of the frame distances that must indicate the other sample rate, and their tolerance. Jittering timestamps can have
 * any average.
 */
const RATE_ERROR_SHARE = 0.7;
const DISTANCE_TOLERANCE = 0.25;
/** Frames read before a configuration is considered wrong. */
const FRAMES_NEEDED = 8;

/** Tolerance of the frame duration for a sample rate that is taken from it: timestamps of eight frames are rounded. */
const GUESS_TOLERANCE = 0.02;

const SINGLE_CHANNEL = 0;
const CHANNEL_PAIR = 1;
/** Highest id of the elements that carry audio (ISO/IEC 14496-3 table 4.85). */
const LAST_AUDIO_ELEMENT = 3;

/**
 * The AudioSpecificConfig that decodes these frames. Some encoders announce HE-AAC and send AAC-LC, or the reverse,
 * or another channel count, which browsers fail to decode.
 * @returns null if more frames are needed
 */
export function detectAacRecord(config: AudioConfig, frames: readonly AacFrame[]): Buffer | null {
  const isEnough = frames.length >= FRAMES_NEEDED;
  const durationRatio = durationRatioOf(config, frames);
  const channels = channelsOf(config, frames);
  const isCorrect =
    durationRatio !== null && Math.abs(durationRatio - 1) <= MATCH_TOLERANCE && channels === config.channels;
  if (isCorrect || !isEnough) return isCorrect ? config.record : null;
  const hasRatio = (ratio: number) =>
    durationRatio !== null &&
    Math.abs(durationRatio - ratio) <= ratio * RATE_ERROR_TOLERANCE &&
    haveDistance(frames, ratio * frameMsOf(config));
  const isHalf = hasRatio(0.5);
  const isTwice = hasRatio(2);
  const rate = config.timescale;
  const trueRecord = isHalf
    ? buildAacRecord(rate * 2, channels)
    : isTwice
      ? buildHeAacRecord(rate / 2, channels)
      : channels === config.channels
        ? config.record
        : buildAacRecord(rate, channels);
  return trueRecord ?? config.record;
}

/**
 * The AudioSpecificConfig of AAC-LC for frames without a configuration: with the sample rate that their distances show, or that
 * of `config` if they show none.
 */
export function guessAacRecord(config: AudioConfig, frames: readonly AacFrame[]): Buffer {
  const ratio = durationRatioOf(config, frames) ?? 1;
  const frameMs = ratio * frameMsOf(config);
  const [rate = config.timescale] = AAC_RATES.toSorted((a, b) => distance(a, frameMs) - distance(b, frameMs));
  const isClear = distance(rate, frameMs) <= GUESS_TOLERANCE && haveDistance(frames, frameMs);
  return buildAacRecord(isClear ? rate : config.timescale, channelsOf(config, frames)) ?? config.record;
}

/** Difference of a frame duration from that of a sample rate, as a fraction of it. */
const distance = (rate: number, frameMs: number): number => Math.abs((frameMs * rate) / 1_024_000 - 1);

/** Actual frame duration relative to the configured one; null with fewer than two frames. */
function durationRatioOf(config: AudioConfig, frames: readonly AacFrame[]): number | null {
  const [first, last] = [frames[0], frames.at(-1)];
  if (!first || !last || frames.length < 2) return null;
  return (last.dts - first.dts) / (frames.length - 1) / frameMsOf(config);
}

/** Configured duration of a frame, ms. */
const frameMsOf = ({ timescale, samplesPerFrame }: AudioConfig): number =>
  (samplesPerFrame * 1_000) / timescale;

/** Whether most frames are `ms` after the previous one. */
function haveDistance(frames: readonly AacFrame[], ms: number): boolean {
  const distances = frames.slice(1).map(({ dts }, index) => dts - (frames[index]?.dts ?? 0));
  const fittingCount = distances.filter(
    (distance) => Math.abs(distance - ms) <= ms * DISTANCE_TOLERANCE,
  ).length;
  return fittingCount >= distances.length * RATE_ERROR_SHARE;
}

/**
 * Channel count that the first element of each frame shows: mono or stereo. The configured count is used if the
 * elements differ, or for other layouts.
 */
function channelsOf({ channels, channelConfiguration }: AudioConfig, frames: readonly AacFrame[]): number {
  if (channelConfiguration !== 1 && channelConfiguration !== 2) return channels;
  const elements = new Set(
    frames.map(({ payload }) => (payload[0] ?? 0xff) >> 5).filter((element) => element <= LAST_AUDIO_ELEMENT),
  );
  if (elements.size !== 1) return channels;
  if (elements.has(CHANNEL_PAIR)) return 2;
  return elements.has(SINGLE_CHANNEL) && channelConfiguration === 2 ? 1 : channels;
}
