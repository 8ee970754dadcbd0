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
 * Share of the frames whose distance to the previous frame must indicate the other sample rate, and the tolerance of that
 * distance. An average is not enough: jittering timestamps can have any average.
 */
const RATE_ERROR_SHARE = 0.7;
const SPACING_TOLERANCE = 0.25;
/** Frames read before a configuration is considered wrong. */
const FRAMES_NEEDED = 8;

/** Tolerance of the frame duration, as a fraction, for a sample rate that is derived from it: timestamps are rounded. */
const GUESS_TOLERANCE = 0.02;

/** Ids of the elements at the start of a mono and a stereo frame (ISO/IEC 14496-3 table 4.85). */
const SINGLE_CHANNEL = 0;
const CHANNEL_PAIR = 1;
/** Highest id of the elements that carry audio. */
const LAST_AUDIO_ELEMENT = 3;

/**
 * The AudioSpecificConfig that decodes these frames. Some encoders announce HE-AAC and send AAC-LC, or the reverse,
 * or another channel count, which browsers fail to decode.
 * @returns null if more frames are needed
 */
export function detectAacRecord(config: AudioConfig, frames: readonly AacFrame[]): Buffer | null {
  const hasEnoughFrames = frames.length >= FRAMES_NEEDED;
  const durationRatio = durationRatioOf(config, frames);
  const channels = channelsOf(config, frames);
  const isCorrect =
    durationRatio !== null && Math.abs(durationRatio - 1) <= MATCH_TOLERANCE && channels === config.channels;
  if (isCorrect || !hasEnoughFrames) return isCorrect ? config.record : null;
  const hasRatio = (ratio: number) =>
    durationRatio !== null &&
    Math.abs(durationRatio - ratio) <= ratio * RATE_ERROR_TOLERANCE &&
    haveSpacing(frames, ratio * frameMsOf(config));
  const hasHalfDuration = hasRatio(0.5);
  const hasTwiceDuration = hasRatio(2);
  const rate = config.timescale;
  const trueRecord = hasHalfDuration
    ? buildAacRecord(rate * 2, channels)
    : hasTwiceDuration
      ? buildHeAacRecord(rate / 2, channels)
      : channels === config.channels
        ? config.record
        : buildAacRecord(rate, channels);
  return trueRecord ?? config.record;
}

/**
 * The AudioSpecificConfig of AAC-LC for frames without a configuration: with the sample rate that their timestamps indicate,
 * or that of `config` if they indicate none.
 */
export function guessAacRecord(config: AudioConfig, frames: readonly AacFrame[]): Buffer {
  const ratio = durationRatioOf(config, frames) ?? 1;
  const frameMs = ratio * frameMsOf(config);
  const [rate = config.timescale] = AAC_RATES.toSorted(
    (a, b) => relativeDurationError(a, frameMs) - relativeDurationError(b, frameMs),
  );
  const isRateCertain =
    relativeDurationError(rate, frameMs) <= GUESS_TOLERANCE && haveSpacing(frames, frameMs);
  return buildAacRecord(isRateCertain ? rate : config.timescale, channelsOf(config, frames)) ?? config.record;
}

/** Difference of a frame duration from that of 1,024 samples at this rate, as a fraction of the latter. */
const relativeDurationError = (rate: number, frameMs: number): number =>
  Math.abs((frameMs * rate) / 1_024_000 - 1);

/** Actual frame duration relative to the configured one; null with fewer than two frames. */
function durationRatioOf(config: AudioConfig, frames: readonly AacFrame[]): number | null {
  const [first, last] = [frames[0], frames.at(-1)];
  if (!first || !last || frames.length < 2) return null;
  return (last.dts - first.dts) / (frames.length - 1) / frameMsOf(config);
}

/** Configured duration of a frame, ms. */
const frameMsOf = ({ timescale, samplesPerFrame }: AudioConfig): number =>
  (samplesPerFrame * 1_000) / timescale;

/** Whether most frames are `spacingMs` after the previous one. */
function haveSpacing(frames: readonly AacFrame[], spacingMs: number): boolean {
  const spacings = frames.slice(1).map(({ dts }, index) => dts - (frames[index]?.dts ?? 0));
  const fittingCount = spacings.filter(
    (spacing) => Math.abs(spacing - spacingMs) <= spacingMs * SPACING_TOLERANCE,
  ).length;
  return fittingCount >= spacings.length * RATE_ERROR_SHARE;
}

/**
 * Channel count according to the first element of each frame: mono or stereo. The configured count is used if the
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
