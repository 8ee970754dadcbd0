import type { AudioConfig } from './aac-config';
import { av1 } from './av1-config';
import { avc } from './avc-config';
import { hevc } from './hevc-config';
import type { VideoCoding, VideoCodingName, VideoConfig } from './video-coding';

export { CodecDataError } from './bit-reader';
export { parseAacConfig } from './aac-config';
export { parseAvcConfig } from './avc-config';
export type { AudioConfig } from './aac-config';
export type { VideoCodingName, VideoConfig } from './video-coding';

/** The tracks of one init segment, at least one. */
export interface Tracks {
  readonly video: VideoConfig | undefined;
  readonly audio: AudioConfig | undefined;
}

const codings: Readonly<Record<VideoCodingName, VideoCoding>> = { avc, hevc, av1 };

export const codingOf = (name: VideoCodingName): VideoCoding => codings[name];

/** Whether video of this codec is supported. */
export const isPackaged = (codec: string): codec is VideoCodingName => Object.hasOwn(codings, codec);

/** The codec whose sample entries have this type; undefined for unknown types. */
export const codingOfEntry = (type: string): VideoCoding | undefined =>
  Object.values(codings).find(({ entry, inBandEntry }) => type === entry || type === inBandEntry);

/** Display size, in which non-square samples are wider or narrower than the coded ones. */
export function displaySize(video: VideoConfig): { width: number; height: number } {
  return { width: Math.round((video.width * video.sar.num) / video.sar.den), height: video.height };
}
