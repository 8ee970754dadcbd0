import type { FfmpegPlan } from './plan';
import { foreignInput } from './vod-args';

/** Subtitles of a file, each as WebVTT in a file of its own. @param texts places of tracks, and where they are written */
export function textsPlan(
  { input, demuxer }: { readonly input: string; readonly demuxer: string },
  texts: readonly { readonly index: number; readonly output: string }[],
): FfmpegPlan {
  return {
    inputs: [foreignInput(input, [], demuxer)],
    outputs: texts.map(({ index, output }) => ({
      options: ['-map', `0:${index}`, '-c:s', 'webvtt', '-f', 'webvtt', '-y'],
      url: `file:${output}`,
    })),
  };
}
