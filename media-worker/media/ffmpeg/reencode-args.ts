import type { FfmpegPlan } from './plan';
import { fileInput } from './vod-args';

/** Frames of a file to encode again. */
export interface ReencodeOptions {
  /** Path of a fragmented MP4 that begins with a keyframe. */
  readonly input: string;
  readonly output: string;
  /** Presentation times of the first and the last frame to encode, in ticks. */
  readonly fromTicks: number;
  readonly toTicks: number;
  /** Ticks per second. */
  readonly timescale: number;
  readonly encoder: FrameEncoder;
  /** Whether every frame becomes a keyframe, instead of only the first. */
  readonly onlyKeyframes: boolean;
  /** Number of cores to use. */
  readonly threads: number;
}

/**
 * Encoder of the frames. H.264 frames are inserted between those of the source, so they need its profile and level; HEVC and
 * AV1 frames have their own init segment.
 */
export type FrameEncoder =
  | {
      readonly coding: 'avc';
      /** Profile name of libx264. */
      readonly profile: 'baseline' | 'main' | 'high';
      /** `level_idc` of the source. */
      readonly level: number;
      /** Id of the encoder's parameter sets, different from those of the source. */
      readonly parameterSetId: number;
    }
  | { readonly coding: 'hevc' | 'av1' };

/** Re-encodes frames: same size, no B-frames, and unchanged times. */
export function planReencode(encoding: ReencodeOptions): FfmpegPlan {
  const { input, output, fromTicks, toTicks, timescale, encoder, threads, onlyKeyframes } = encoding;
  const threadArgs = ['-threads', String(threads)];
  return {
    inputs: [fileInput(input, ['-copyts', '-noautorotate', '-ignore_editlist', '1', ...threadArgs])],
    outputs: [
      {
        options: [
          ...['-map', '0:v:0', '-an', '-dn', '-sn', '-vf', `select='between(pts,${fromTicks},${toTicks})'`],
          ...['-fps_mode', 'passthrough', '-enc_time_base', `1:${timescale}`],
          ...encoderOptions(encoder, threads),
          // No keyframe but the first.
          ...['-g', '100000'],
          // A GOP of one frame would change the headers.
          ...(onlyKeyframes ? ['-force_key_frames', 'expr:1'] : []),
          ...threadArgs,
          ...['-video_track_timescale', String(timescale)],
          ...['-movflags', 'empty_moov+default_base_moof+frag_keyframe', '-f', 'mp4', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}

function encoderOptions(encoder: FrameEncoder, threads: number): string[] {
  switch (encoder.coding) {
    case 'avc': {
      const { profile, level, parameterSetId } = encoder;
      return [
        ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', profile],
        ...['-level', (level / 10).toFixed(1), '-bf', '0', '-sc_threshold', '0', '-crf', '18'],
        // All results have the same headers.
        ...['-x264-params', `stitchable=1:sps-id=${parameterSetId}`],
      ];
    }
    case 'hevc': {
      const params = `log-level=error:info=0:bframes=0:scenecut=0:open-gop=0:pools=${threads}:frame-threads=1`;
      return [
        '-c:v',
        'libx265',
        '-preset',
        'veryfast',
        '-tag:v',
        'hvc1',
        '-crf',
        '18',
        '-x265-params',
        params,
      ];
    }
    case 'av1':
      return [
        '-c:v',
        'libsvtav1',
        '-preset',
        '8',
        '-crf',
        '25',
        '-svtav1-params',
        `pred-struct=1:scd=0:lp=${threads}`,
      ];
  }
}
