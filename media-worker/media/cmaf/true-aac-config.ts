import { type AudioConfig, aacRecord, heAacRecord } from './aac-config';

/** A frame from the start of a track, which tells more than its configuration. */
export interface AacFrame {
  /** Milliseconds. */
  readonly dts: number;
  /** One access unit. */
  readonly payload: Buffer;
}

/** Share of the configured frame distance within which a configuration is right: time stamps are rounded. */
const RIGHT_WITHIN = 0.3;
/** Twice or half the configured distance, within this share, means another sample rate. */
const WRONG_WITHIN = 0.1;
/** Frames read before a configuration is called wrong. */
const FRAMES_READ = 8;

const SINGLE_CHANNEL = 0;
const CHANNEL_PAIR = 1;
/** Highest id of the elements that carry sound (ISO/IEC 14496-3 table 4.85). */
const LAST_SOUND_ELEMENT = 3;

/**
 * The AudioSpecificConfig that decodes these frames. Encoders announce HE-AAC and send AAC-LC, or the reverse, or
 * another channel count: browsers fail at such frames.
 * @returns null while more frames are needed
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

/** Actual frame duration relative to the configured one; null before two frames. */
function timesOff({ timescale, samplesPerFrame }: AudioConfig, frames: readonly AacFrame[]): number | null {
  const [first, last] = [frames[0], frames.at(-1)];
  if (!first || !last || frames.length < 2) return null;
  return (last.dts - first.dts) / (frames.length - 1) / ((samplesPerFrame * 1_000) / timescale);
}

/** Mono or stereo, which frames reveal by their first element. */
function channelsOf({ channels, channelConfiguration }: AudioConfig, frames: readonly AacFrame[]): number {
  if (channelConfiguration !== 1 && channelConfiguration !== 2) return channels;
  const elements = new Set(
    frames.map(({ payload }) => (payload[0] ?? 0xff) >> 5).filter((element) => element <= LAST_SOUND_ELEMENT),
  );
  if (elements.size !== 1) return channels;
  if (elements.has(CHANNEL_PAIR)) return 2;
  return elements.has(SINGLE_CHANNEL) && channelConfiguration === 2 ? 1 : channels;
}
