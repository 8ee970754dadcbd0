import type { RenditionSpec } from '@/lib/core/renditions/ladder';
import type { VideoColors } from '@/lib/core/media/conversion';
import { colorFilters } from './conversion-args';
import type { FfmpegPlan } from './plan';

export interface RenditionOutput {
  readonly rendition: RenditionSpec;
  /** Unix socket that receives the rendition as FLV. */
  readonly socketPath: string;
}

/** The source's video from standard input. */
export interface RenditionInput {
  readonly format: 'flv' | 'matroska';
  /** Colors of the source; renditions have standard colors. */
  readonly colors: VideoColors;
}

/** Maximum number of frames until x264 sets its own keyframe; the source normally has one earlier. */
const MAX_GOP = 600;

/**
 * Encodes all renditions of one stream in one process: the video is read once from standard input and written as one
 * FLV per rendition, with unchanged timestamps, and keyframes exactly where the source has them. Audio is not
 * encoded.
 */
export function planRenditions(outputs: readonly RenditionOutput[], input: RenditionInput): FfmpegPlan {
  return {
    inputs: [
      {
        options: [
          ...['-fpsprobesize', '0', '-analyzeduration', '1000000', '-copyts'],
          ...[
            '-filter_complex',
            filterGraph(
              outputs.map(({ rendition }) => rendition),
              input.colors,
            ),
          ],
          ...['-f', input.format],
        ],
        url: 'pipe:0',
      },
    ],
    outputs: outputs.map(({ rendition, socketPath }, index) => ({
      options: [
        ...['-map', `[v${index}]`, ...encoderOptions(rendition)],
        // Without flushing, a small rendition would stay in the output buffer for half a second.
        ...['-flush_packets', '1', '-flvflags', 'no_duration_filesize', '-f', 'flv'],
      ],
      url: `unix:${socketPath}`,
    })),
  };
}

function filterGraph(renditions: readonly RenditionSpec[], colors: VideoColors): string {
  const chains = renditions.map((rendition, index) => {
    const inputLabel = renditions.length === 1 ? '[0:v]' : `[s${index}]`;
    const steps = [
      ...frameRateFilters(rendition),
      `scale=${rendition.width}:${rendition.height}`,
      ...colorFilters(colors, false),
      'setsar=1',
      'format=yuv420p',
    ];
    return `${inputLabel}${steps.join(',')}[v${index}]`;
  });
  if (renditions.length === 1) return chains.join(';');
  return [
    `[0:v]split=${renditions.length}${renditions.map((_, index) => `[s${index}]`).join('')}`,
    ...chains,
  ].join(';');
}

/**
 * The filter that passes a frame when the next one is due, and every keyframe. The `fps` filter would drop some
 * keyframes, and the rendition could not be cut at the same frames as the source. Variable 0 is the time of the next
 * due frame.
 */
function frameRateFilters({ fps }: RenditionSpec): string[] {
  if (fps === null) return [];
  const isDue = `if(eq(key,1),t,max(ld(0),t-1/${fps}))+1/${fps}`;
  return [`select='if(eq(key,1)+gte(t,ld(0)-0.001),st(0,${isDue})*0+1,0)'`];
}

function encoderOptions(rendition: RenditionSpec): string[] {
  const { bitrate, quality, profile } = rendition;
  const maxRateArgs = [
    '-maxrate',
    `${Math.round(bitrate * 1.1)}`,
    '-bufsize',
    `${Math.round(bitrate * 1.5)}`,
  ];
  return [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-profile:v', profile],
    ...[
      '-sc_threshold',
      '0',
      '-g',
      `${Math.min(rendition.gopFrames ?? MAX_GOP, MAX_GOP)}`,
      '-force_key_frames',
      'source',
      '-forced-idr',
      '1',
    ],
    ...(quality === null ? ['-b:v', `${bitrate}`, ...maxRateArgs] : ['-crf', `${quality}`, ...maxRateArgs]),
    // Every frame keeps its time, in milliseconds.
    ...['-fps_mode', 'passthrough', '-enc_time_base', '1:1000'],
  ];
}
