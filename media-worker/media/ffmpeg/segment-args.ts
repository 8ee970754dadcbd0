import type { VodRendition } from '@/lib/core/renditions/vod-ladder';
import type { FfmpegPlan } from './plan';
import { fileInput } from './vod-args';

/** One segment of a rendition to encode. */
export interface SegmentEncoding {
  /** Path of a fragmented MP4 that begins with a keyframe. */
  readonly input: string;
  readonly output: string;
  readonly rendition: Omit<VodRendition, 'name'>;
  /** Ticks per second of the video. */
  readonly timescale: number;
  /** Presentation times of the first and the last frame to encode, in ticks. */
  readonly fromTicks: number;
  readonly toTicks: number;
  /** Number of cores to use. */
  readonly threads: number;
}

/**
 * Encodes the frames of one segment: one keyframe, no B-frames, unchanged times. The headers do not depend on the
 * content (`stitchable`), so that one init segment describes all segments.
 */
export function planSegment(encoding: SegmentEncoding): FfmpegPlan {
  const { input, output, rendition, timescale, fromTicks, toTicks, threads } = encoding;
  const { width, height, fps, bitrate, level, quality } = rendition;
  const threadArgs = (count: number) => ['-threads', String(count)];
  // Decoder threads wait for each other, so several cores are busy only with more threads than cores.
  const decoderThreads = threads === 1 ? 1 : 2 * threads;
  // Passes every due frame; variable 0 is the time of the next due frame.
  const frameRateFilters =
    fps === null ? [] : [`select='if(gte(t,ld(0)-0.001),st(0,max(ld(0),t-1/${fps})+1/${fps})*0+1,0)'`];
  const filters = [
    `select='between(pts,${fromTicks},${toTicks})'`,
    ...frameRateFilters,
    `scale=${width}:${height}`,
    'setsar=1',
    'format=yuv420p',
  ];
  return {
    // Display matrix and edit lists stay in the init segment.
    inputs: [
      fileInput(input, ['-copyts', '-noautorotate', '-ignore_editlist', '1', ...threadArgs(decoderThreads)]),
    ],
    outputs: [
      {
        options: [
          ...['-map', '0:v:0', '-an', '-dn', '-sn', '-vf', filters.join(',')],
          ...['-fps_mode', 'passthrough', '-enc_time_base', `1:${timescale}`],
          ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-level', level],
          // No keyframe but the first.
          ...['-bf', '0', '-g', '100000', '-sc_threshold', '0', '-x264-params', 'stitchable=1'],
          ...['-crf', String(quality), '-maxrate', String(bitrate), '-bufsize', String(bitrate)],
          ...threadArgs(threads),
          ...['-video_track_timescale', String(timescale)],
          ...['-movflags', 'empty_moov+default_base_moof+frag_keyframe', '-f', 'mp4', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}
