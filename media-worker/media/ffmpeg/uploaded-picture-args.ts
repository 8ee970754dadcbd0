import type { FfmpegPlan } from './plan';

/** Longer side of a stored logo, in pixels. */
const maxLogoSide = 512;
/** Longer side of a slate picture: no smaller than the video of most encoders. */
const maxSlateSide = 1920;
/** Background of slates. */
export const slateGround = '0x12151c';

/** Demuxers of accepted uploads. */
export type PictureFormat = 'png_pipe' | 'jpeg_pipe' | 'webp_pipe';

const within = (side: number): string =>
  String.raw`scale=w=min(iw\,${side}):h=min(ih\,${side}):force_original_aspect_ratio=decrease`;

/**
 * One picture as a PNG of at most 512 × 512 pixels, with its transparency and without any metadata.
 * @param input
 * absolute path
 */
export const logoPlan = (input: string, format: PictureFormat, output: string): FfmpegPlan =>
  uploadedPicturePlan(input, format, output, `${within(maxLogoSide)},format=rgba`);

/**
 * One picture as a PNG of at most 1920 × 1920 pixels. Transparent areas show the background of slates.
 * @param input
 * absolute path
 */
export function slatePicturePlan(input: string, format: PictureFormat, output: string): FfmpegPlan {
  const [red, green, blue] =
    slateGround
      .slice(2)
      .match(/../g)
      ?.map((byte) => Number.parseInt(byte, 16)) ?? [];
  const ground = `lutrgb=r=${red}:g=${green}:b=${blue}:a=255`;
  const layout = `split[a][b];[a]${ground}[ground];[ground][b]overlay=format=rgb`;
  const filters = `${within(maxSlateSide)},format=rgba,${layout},format=rgb24`;
  return uploadedPicturePlan(input, format, output, filters);
}

function uploadedPicturePlan(
  input: string,
  format: PictureFormat,
  output: string,
  filters: string,
): FfmpegPlan {
  return {
    inputs: [
      { options: ['-protocol_whitelist', 'file', '-threads', '1', '-f', format], url: `file:${input}` },
    ],
    outputs: [
      {
        options: [
          ...['-map', '0:v:0', '-frames:v', '1', '-map_metadata', '-1', '-vf', filters],
          // The raw muxer adds nothing: the packet is a PNG file.
          ...['-c:v', 'png', '-threads', '1', '-f', 'rawvideo', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}
