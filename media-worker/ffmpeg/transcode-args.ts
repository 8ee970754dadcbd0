import type { Rung } from '@/lib/core/ladder';
import type { FfmpegPlan } from './plan';
import { foreignInput } from './vod-args';

/** Seconds between keyframes where the profile does not say: what makes short HLS segments. */
const gopSeconds = 2;

export interface Transcoding {
  readonly input: string;
  readonly output: string;
  readonly rung: Rung;
}

/** One rendition of a whole file: the picture encoded anew, the sound as it is. */
export function transcodePlan({ input, output, rung }: Transcoding): FfmpegPlan {
  const { width, height, bitrate, fps, quality, gopFrames, profile } = rung;
  const rate = fps === null ? [] : [`fps=${fps}`];
  const keyframes =
    gopFrames === null
      ? ['-force_key_frames', `expr:gte(t,n_forced*${gopSeconds})`]
      : ['-g', String(gopFrames), '-keyint_min', String(gopFrames)];
  return {
    inputs: [foreignInput(input)],
    outputs: [
      {
        options: [
          ...['-map', '0:v:0', '-map', '0:a:0?', '-dn', '-sn', '-map_chapters', '-1'],
          ...['-vf', [...rate, `scale=${width}:${height}`, 'setsar=1', 'format=yuv420p'].join(',')],
          ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', profile, ...keyframes],
          ...(quality === null ? ['-b:v', String(bitrate)] : ['-crf', String(quality)]),
          ...['-maxrate', String(Math.round(bitrate * 1.1)), '-bufsize', String(bitrate * 2)],
          ...['-c:a', 'copy', '-movflags', '+faststart', '-f', 'mp4', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}
