import { type AudioConfig, aacRecord, heAacRecord } from './aac-config';

/** The first frames of a track, which say more than its configuration. */
export interface AacFrame {
  /** Milliseconds. */
  readonly dts: number;
  /** One access unit. */
  readonly payload: Buffer;
}

/** Frames this close to the configured distance, as a share of it, are right: stamps are rounded. */
const RIGHT_WITHIN = 0.3;
/** Twice or half of the configured distance, within this share, is another sample rate. */
const WRONG_WITHIN = 0.1;
/** So many frames are read before a configuration is called wrong. */
const FRAMES_READ = 8;

const SINGLE_CHANNEL = 0;
const CHANNEL_PAIR = 1;
/** Of the elements that carry sound, whose numbers come before all others (ISO/IEC 14496-3 table 4.85). */
const LAST_SOUND_ELEMENT = 3;

/**
 * The AudioSpecificConfig that frames are decoded with. Encoders announce HE-AAC and send AAC-LC, or the other way round,
 * or another number of channels: browsers give up at such frames.
 * @returns null while more frames have to come
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

/** How many times longer frames last than configured; null before there are two. */
function timesOff({ timescale, samplesPerFrame }: AudioConfig, frames: readonly AacFrame[]): number | null {
  const [first, last] = [frames[0], frames.at(-1)];
  if (!first || !last || frames.length < 2) return null;
  return (last.dts - first.dts) / (frames.length - 1) / ((samplesPerFrame * 1_000) / timescale);
}

/** Of mono and stereo, which frames tell apart by their first element. */
function channelsOf({ channels, channelConfiguration }: AudioConfig, frames: readonly AacFrame[]): number {
  if (channelConfiguration !== 1 && channelConfiguration !== 2) return channels;
  const elements = new Set(
    frames.map(({ payload }) => (payload[0] ?? 0xff) >> 5).filter((element) => element <= LAST_SOUND_ELEMENT),
  );
  if (elements.size !== 1) return channels;
  if (elements.has(CHANNEL_PAIR)) return 2;
  return elements.has(SINGLE_CHANNEL) && channelConfiguration === 2 ? 1 : channels;
}
