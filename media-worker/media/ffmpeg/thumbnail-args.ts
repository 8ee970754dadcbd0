import type { FfmpegPlan } from './plan';

/** One thumbnail to create from the start of a segment. */
export interface ThumbnailJob {
  /** Absolute path of an init segment followed by a part that starts with a keyframe. */
  readonly input: string;
  readonly output: string;
  readonly width: number;
  readonly height: number;
}

/** Input options that decode one keyframe, without probing (which also decodes), loop filter or threads. */
const inputArgs = [
  ...['-nofind_stream_info', '-skip_frame', 'nokey', '-skip_loop_filter', 'all', '-threads', '1'],
  ...['-protocol_whitelist', 'file', '-f', 'mov'],
];

/** Makes several thumbnails in one process, because starting it costs more than a thumbnail. */
export function planThumbnails(jobs: readonly ThumbnailJob[]): FfmpegPlan {
  return {
    inputs: jobs.map(({ input }, index) => ({
      options: [...(index === 0 ? ['-filter_threads', '1'] : []), ...inputArgs],
      url: `file:${input}`,
    })),
    outputs: jobs.map(({ output, width, height }, index) => ({
      options: [
        ...['-map', `${index}:v:0`, '-frames:v', '1', '-vf', `scale=${width}:${height}:flags=fast_bilinear`],
        ...['-q:v', '6', '-threads', '1', '-f', 'mjpeg', '-y'],
      ],
      url: `file:${output}`,
    })),
  };
}

const MAX_SIDE = 640;

/** The size of a thumbnail: at most 640 pixels on the longer side, even numbers, with the display aspect ratio. */
export function thumbnailSize({ width, height }: { width: number; height: number }): {
  width: number;
  height: number;
} {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  const evenSize = (value: number) => Math.max(2, Math.round((value * scale) / 2) * 2);
  return { width: evenSize(width), height: evenSize(height) };
}
