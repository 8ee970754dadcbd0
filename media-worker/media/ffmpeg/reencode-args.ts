import type { FfmpegPlan } from './plan';
import { foreignInput } from './vod-args';

export interface Reencoding {
  /** Path of a fragmented MP4 that begins with a keyframe. */
  readonly input: string;
  readonly output: string;
  /** Presentation times of the first and the last frame to encode, in ticks. */
  readonly from: number;
  readonly to: number;
  /** Ticks per second. */
  readonly timescale: number;
  /** Profile name of libx264. */
  readonly profile: 'baseline' | 'main' | 'high';
  /** `level_idc` of the source. */
  readonly level: number;
  /** Id of the encoder's parameter sets, different from those of the source. */
  readonly parameterSetId: number;
  /** Number of cores to use. */
  readonly threads: number;
}

/**
 * Re-encodes frames so that they can be inserted between those of the source: same size and profile, one keyframe,
 * no B-frames, and unchanged times. All results have the same headers (`stitchable`).
 */
export function reencodePlan(encoding: Reencoding): FfmpegPlan {
  const { input, output, from, to, timescale, profile, level, parameterSetId, threads } = encoding;
  const limit = ['-threads', String(threads)];
  return {
    inputs: [foreignInput(input, ['-copyts', '-noautorotate', '-ignore_editlist', '1', ...limit])],
    outputs: [
      {
        options: [
          ...['-map', '0:v:0', '-an', '-dn', '-sn', '-vf', `select='between(pts,${from},${to})'`],
          ...['-fps_mode', 'passthrough', '-enc_time_base', `1:${timescale}`],
          ...[
            '-c:v',
            'libx264',
            '-preset',
            'veryfast',
            '-profile:v',
            profile,
            '-level',
            (level / 10).toFixed(1),
          ],
          ...['-bf', '0', '-g', '100000', '-sc_threshold', '0', '-crf', '18'],
          ...['-x264-params', `stitchable=1:sps-id=${parameterSetId}`],
          ...limit,
          ...['-video_track_timescale', String(timescale)],
          ...['-movflags', 'empty_moov+default_base_moof+frag_keyframe', '-f', 'mp4', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}
