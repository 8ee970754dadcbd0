import type { FfmpegPlan } from './plan';

/** Longer side of a stored logo, in pixels. */
const maxSide = 512;

/** The demuxers of what may be uploaded. */
export type LogoFormat = 'png_pipe' | 'jpeg_pipe' | 'webp_pipe';

/**
 * One picture as a PNG of at most 512 × 512 pixels, with its transparency and without anything else that the file holds.
 * @param input absolute path
 */
export function logoPlan(input: string, format: LogoFormat, output: string): FfmpegPlan {
  const size = String.raw`scale=w=min(iw\,${maxSide}):h=min(ih\,${maxSide}):force_original_aspect_ratio=decrease`;
  return {
    inputs: [
      { options: ['-protocol_whitelist', 'file', '-threads', '1', '-f', format], url: `file:${input}` },
    ],
    outputs: [
      {
        options: [
          ...['-map', '0:v:0', '-frames:v', '1', '-map_metadata', '-1', '-vf', `${size},format=rgba`],
          // The muxer that adds nothing: the packet is a PNG file.
          ...['-c:v', 'png', '-threads', '1', '-f', 'rawvideo', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}
