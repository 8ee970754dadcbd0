import type { FfmpegPlan } from './plan';

/** Longer side of a stored logo, in pixels. */
const MAX_LOGO_SIDE = 512;
/** Longer side of a stored slate picture, in pixels: no smaller than the video of most encoders. */
const MAX_SLATE_SIDE = 1920;
/** Longer side of a stored poster, in pixels: the width of most players. */
const MAX_POSTER_SIDE = 1280;
/** Background colour of slates. */
export const slateBackground = '0x12151c';

/** Demuxers of accepted picture uploads. */
export type PictureFormat = 'png_pipe' | 'jpeg_pipe' | 'webp_pipe';

const fitFilter = (side: number): string =>
  String.raw`scale=w=min(iw\,${side}):h=min(ih\,${side}):force_original_aspect_ratio=decrease`;

/**
 * One picture as a PNG of at most 512 × 512 pixels, with its transparency and without any metadata.
 * @param input absolute path
 */
export const planLogo = (input: string, format: PictureFormat, output: string): FfmpegPlan =>
  planUploadedPicture(input, format, output, `${fitFilter(MAX_LOGO_SIDE)},format=rgba`);

/**
 * One picture as a PNG of at most 1920 × 1920 pixels. Transparent areas show the background of slates.
 * @param input absolute path
 */
export const planSlatePicture = (input: string, format: PictureFormat, output: string): FfmpegPlan =>
  planUploadedPicture(input, format, output, `${backgroundFilter(MAX_SLATE_SIDE)},format=rgb24`);

/**
 * One picture as a JPEG of at most 1280 × 1280 pixels. Transparent areas show the background of slates.
 * @param input absolute path
 */
export const planUploadedPoster = (input: string, format: PictureFormat, output: string): FfmpegPlan =>
  planUploadedPicture(
    input,
    format,
    output,
    `${backgroundFilter(MAX_POSTER_SIDE)},format=yuvj420p`,
    jpegArgs,
  );

const pngArgs = ['-c:v', 'png'];
const jpegArgs = ['-c:v', 'mjpeg', '-q:v', '4'];

function backgroundFilter(side: number): string {
  const [red, green, blue] =
    slateBackground
      .slice(2)
      .match(/../g)
      ?.map((byte) => Number.parseInt(byte, 16)) ?? [];
  const fillFilter = `lutrgb=r=${red}:g=${green}:b=${blue}:a=255`;
  const overlayFilters = `split[a][b];[a]${fillFilter}[ground];[ground][b]overlay=format=rgb`;
  return `${fitFilter(side)},format=rgba,${overlayFilters}`;
}

function planUploadedPicture(
  input: string,
  format: PictureFormat,
  output: string,
  filters: string,
  encoder: readonly string[] = pngArgs,
): FfmpegPlan {
  return {
    inputs: [
      { options: ['-protocol_whitelist', 'file', '-threads', '1', '-f', format], url: `file:${input}` },
    ],
    outputs: [
      {
        options: [
          ...['-map', '0:v:0', '-frames:v', '1', '-map_metadata', '-1', '-vf', filters],
          // The raw muxer writes the packet unchanged, and the packet is a whole file.
          ...[...encoder, '-threads', '1', '-f', 'rawvideo', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}
