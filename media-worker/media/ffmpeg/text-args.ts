import type { FfmpegPlan } from './plan';
import { fileInput } from './vod-args';

/**
 * Extracts subtitles of a file, each to its own WebVTT file.
 * @param texts track indexes in the file, and output paths
 */
export function planTexts(
  { input, demuxer }: { readonly input: string; readonly demuxer: string },
  texts: readonly { readonly index: number; readonly output: string }[],
): FfmpegPlan {
  return {
    inputs: [fileInput(input, [], demuxer)],
    outputs: texts.map(({ index, output }) => ({
      options: ['-map', `0:${index}`, '-c:s', 'webvtt', '-f', 'webvtt', '-y'],
      url: `file:${output}`,
    })),
  };
}
