import type { AudioConfig } from './aac-config';
import { av1 } from './av1-config';
import { avc } from './avc-config';
import { hevc } from './hevc-config';
import type { VideoCoding, VideoCodingName, VideoConfig } from './video-coding';

export { CodecConfigError } from './bit-reader';
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

/** The coding of a sample entry with this type; undefined for others. */
export const codingOfEntry = (type: string): VideoCoding | undefined =>
  Object.values(codings).find(({ entry, inBandEntry }) => type === entry || type === inBandEntry);

/** Display size: non-square samples widen or narrow the picture. */
export function displaySize(video: VideoConfig): { width: number; height: number } {
  return { width: Math.round((video.width * video.sar.num) / video.sar.den), height: video.height };
}
