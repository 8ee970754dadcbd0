import type { AudioConfig } from './aac-config';
import type { VideoConfig } from './avc-config';

export { CodecConfigError } from './bit-reader';
export { parseAacConfig } from './aac-config';
export { parseAvcConfig, picturesInFrame } from './avc-config';
export type { AudioConfig } from './aac-config';
export type { VideoConfig } from './avc-config';

/** The tracks of one init segment; at least one is there. */
export interface Tracks {
  readonly video: VideoConfig | undefined;
  readonly audio: AudioConfig | undefined;
}

/** Width and height as they are to be shown: non-square samples widen or narrow the picture. */
export function displaySize(video: VideoConfig): { width: number; height: number } {
  return { width: Math.round((video.width * video.sar.num) / video.sar.den), height: video.height };
}
