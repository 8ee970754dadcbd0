import { type AudioConfig, aacRecord, heAacRecord } from './aac-config';

/** An audio frame from the start of a track. */
export interface AacFrame {
  /** Decode time, ms. */
  readonly dts: number;
  /** One AAC access unit. */
  readonly payload: Buffer;
}

/**
 * Tolerance of the frame distance for a correct configuration, as a share of the configured distance: timestamps
 * are rounded.
 */
const RIGHT_WITHIN = 0.3;
/** Tolerance around twice or half the configured distance, which means another sample rate. */
const WRONG_WITHIN = 0.1;
/** Frames read before a configuration is considered wrong. */
const FRAMES_READ = 8;

const SINGLE_CHANNEL = 0;
const CHANNEL_PAIR = 1;
/** Highest id of the elements that carry audio (ISO/IEC 14496-3 table 4.85). */
const LAST_AUDIO_ELEMENT = 3;

/**
 * The AudioSpecificConfig that decodes these frames. Some encoders announce HE-AAC and send AAC-LC, or the reverse,
 * or another channel count, which browsers fail to decode.
 * @returns null if more frames are needed
 */
export function trueAacRecord(config: AudioConfig, frames: readonly AacFrame[]): Buffer | null {
  const isEnough = frames.length >= FRAMES_READ;
  const times = timesOff(config, frames);
  const channels = channelsOf(config, frames);
  const isRight = times !== null && Math.abs(times - 1) <= RIGHT_WITHIN && channels === config.channels;
  if (isRight || !isEnough) return isRight ? config.record : null;
  const isHalf = times !== null && Math.abs(times - 0.5) <= 0.5 * WRONG_WITHIN;
  const isTwice = times !== null && Math.abs(times - 2) <= 2 * WRONG_WITHIN;
  const rate = config.timescale;
  const trueRecord = isHalf
    ? aacRecord(rate * 2, channels)
    : isTwice
      ? heAacRecord(rate / 2, channels)
      : channels === config.channels
        ? config.record
        : aacRecord(rate, channels);
  return trueRecord ?? config.record;
}

/** Actual frame duration relative to the configured one; null with fewer than two frames. */
function timesOff({ timescale, samplesPerFrame }: AudioConfig, frames: readonly AacFrame[]): number | null {
  const [first, last] = [frames[0], frames.at(-1)];
  if (!first || !last || frames.length < 2) return null;
  return (last.dts - first.dts) / (frames.length - 1) / ((samplesPerFrame * 1_000) / timescale);
}

/** Channel count by the first element of the frames: mono or stereo. */
function channelsOf({ channels, channelConfiguration }: AudioConfig, frames: readonly AacFrame[]): number {
  if (channelConfiguration !== 1 && channelConfiguration !== 2) return channels;
  const elements = new Set(
    frames.map(({ payload }) => (payload[0] ?? 0xff) >> 5).filter((element) => element <= LAST_AUDIO_ELEMENT),
  );
  if (elements.size !== 1) return channels;
  if (elements.has(CHANNEL_PAIR)) return 2;
  return elements.has(SINGLE_CHANNEL) && channelConfiguration === 2 ? 1 : channels;
}
