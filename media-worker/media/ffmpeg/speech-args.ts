import type { FfmpegPlan } from './plan';
import { fileInput } from './vod-args';

/**
 * Writes the audio of an asset's MP4 for speech recognition: 16-bit samples at 16 kHz, one channel, no header. The
 * first sample is at the start of the video: if audio starts later or has a gap, the missing samples are silence.
 */
export function planSpeech(input: string, output: string): FfmpegPlan {
  return {
    inputs: [fileInput(input)],
    outputs: [
      {
        options: [
          ...['-map', '0:a:0', '-vn', '-dn', '-sn', '-af', 'aresample=16000:async=1:first_pts=0'],
          ...['-ac', '1', '-c:a', 'pcm_s16le', '-f', 's16le', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}
