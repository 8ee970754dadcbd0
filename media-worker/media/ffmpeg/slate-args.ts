import type { FfmpegPlan } from './plan';
import { slateBackground } from './uploaded-picture-args';

/** The slate (the image while no encoder sends) in the format of an encoder's video. */
interface SlateJob {
  /** Absolute path of the team's picture; absent for a plain background. */
  readonly picture?: string | undefined;
  /**
   * Absolute path of a file with the title, in the folder of the output; null if there is no title or ffmpeg
   * cannot draw text.
   */
  readonly titleFile: string | null;
  readonly output: string;
  readonly width: number;
  readonly height: number;
  readonly sar: { readonly num: number; readonly den: number };
  readonly fps: number;
  /** Id of the sequence and picture parameter sets, different from those of the encoder's video. */
  readonly parameterSetId: number;
}

/** Keyframe interval, seconds. */
const GOP_SECONDS = 2;
/** Two GOPs, because consecutive keyframes must have different ids, also when the loop restarts. */
const GOP_COUNT = 2;

/** A file name in a filter: quoted for the filter graph, escaped for the option. */
const quotePath = (path: string): string =>
  `'${path
    .replaceAll('\\', '\\\\')
    .replaceAll(':', String.raw`\:`)
    .replaceAll("'", String.raw`'\''`)}'`;

/** Draws the title in the centre, because only a slate without a picture has a title. The width fits usual titles. */
function titleFilter(titleFile: string, height: number): string {
  const size = Math.max(12, Math.round(height / 16));
  return `drawtext=textfile=${quotePath(titleFile)}:expansion=none:fontsize=${size}:fontcolor=0xe8eaf0:x=(w-tw)/2:y=(h-th)/2`;
}

/**
 * Encodes a still image as H.264 that every decoder of the encoder's video can play: baseline profile, one reference
 * frame, no reordering, two GOPs.
 */
export function planSlate(job: SlateJob): FfmpegPlan {
  const { picture, titleFile, output, width, height, sar, fps, parameterSetId } = job;
  const gop = fps * GOP_SECONDS;
  const size = `${width}:${height}`;
  const fitFilter = `scale=${size}:force_original_aspect_ratio=decrease,pad=${size}:-1:-1:color=${slateBackground}`;
  const filters = [
    ...(picture === undefined ? [] : [fitFilter]),
    ...(titleFile === null ? [] : [titleFilter(titleFile, height)]),
    ...[`setsar=${sar.num}/${sar.den}`, 'format=yuv420p'],
  ];
  const rate = ['-framerate', String(fps)];
  return {
    inputs: [
      picture === undefined
        ? { options: ['-f', 'lavfi'], url: `color=c=${slateBackground}:size=${width}x${height}:rate=${fps}` }
        : {
            options: [
              '-protocol_whitelist',
              'file',
              '-threads',
              '1',
              '-f',
              'png_pipe',
              '-loop',
              '1',
              ...rate,
            ],
            url: `file:${picture}`,
          },
    ],
    outputs: [
      {
        options: [
          ...[
            '-map',
            '0:v:0',
            '-frames:v',
            String(gop * GOP_COUNT),
            '-vf',
            filters.join(','),
            '-threads',
            '1',
          ],
          ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'baseline', '-tune', 'stillimage'],
          ...['-crf', '20', '-bf', '0', '-refs', '1', '-g', String(gop), '-keyint_min', String(gop)],
          ...['-sc_threshold', '0', '-x264-params', `sps-id=${parameterSetId}:stitchable=1`],
          ...['-flvflags', 'no_duration_filesize', '-f', 'flv', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}
