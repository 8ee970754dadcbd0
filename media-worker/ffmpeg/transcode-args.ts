import type { EncodeChunk } from '@/lib/core/renditions/encode-plan';
import type { RenditionSpec } from '@/lib/core/renditions/ladder';
import type { FfmpegPlan } from './plan';
import { foreignInput } from './vod-args';

/** Seconds between keyframes where the profile does not say: what makes short HLS segments. */
export const defaultGopSeconds = 2;
/** Read before the start of a piece, because the filters may need an earlier frame. */
const leadSeconds = 2;

export interface Transcoding {
  readonly input: string;
  readonly output: string;
  readonly rendition: RenditionSpec;
}

/** Time scale of the pieces' start times: a multiple of every usual time base, so that none is rounded. */
const exactTimescale = 720_000;

const noOther = ['-dn', '-sn', '-map_chapters', '-1'];

/** One rendition of a whole file: video encoded, audio copied. */
export function transcodePlan({ input, output, rendition }: Transcoding): FfmpegPlan {
  return {
    inputs: [foreignInput(input)],
    outputs: [
      {
        options: [
          ...['-map', '0:v:0', '-map', '0:a:0?', ...noOther],
          ...['-vf', [...rateOf(rendition), ...pictureOf(rendition)].join(','), ...encoderOf(rendition)],
          ...['-c:a', 'copy', '-movflags', '+faststart', '-f', 'mp4', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}

/**
 * The picture of one piece, with the times that it has in the whole file. Frames are chosen by the time they are shown,
 * after the change of the frame rate: neighbours neither share a frame nor leave one out.
 */
export function chunkPlan(
  { input, output, rendition }: Transcoding,
  { start, end }: EncodeChunk,
  threads: number | null,
): FfmpegPlan {
  const seek = ['-seek_timestamp', '1', '-noaccurate_seek', '-ss', String(start - leadSeconds)];
  const bounds = [...(start > 0 ? [`start=${start}`] : []), ...(end === null ? [] : [`end=${end}`])];
  const trim = bounds.length > 0 ? [`trim=${bounds.join(':')}`] : [];
  const limit = threads === null ? [] : ['-threads', String(threads)];
  return {
    inputs: [foreignInput(input, ['-copyts', ...(start > leadSeconds ? seek : []), ...limit])],
    outputs: [
      {
        options: [
          ...['-map', '0:v:0', '-an', ...noOther],
          ...[
            '-vf',
            [...rateOf(rendition), ...trim, ...pictureOf(rendition)].join(','),
            ...encoderOf(rendition),
            ...limit,
          ],
          ...['-movie_timescale', String(exactTimescale), '-f', 'mp4', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}

/** The pieces of the picture one after the other, and the sound of the whole file as it is: nothing is encoded. */
export function joinPlan(list: string, { input, output }: Pick<Transcoding, 'input' | 'output'>): FfmpegPlan {
  return {
    inputs: [
      {
        options: ['-copyts', '-protocol_whitelist', 'file', '-f', 'concat'],
        url: `file:${list}`,
      },
      foreignInput(input),
    ],
    outputs: [
      {
        options: [
          ...['-map', '0:v:0', '-map', '1:a:0?', ...noOther, '-c', 'copy'],
          ...['-movflags', '+faststart', '-f', 'mp4', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}

/**
 * What `joinPlan` reads: file names beside the list. Their own times are the right ones; saying where each begins and
 * how long it lasts keeps ffmpeg from moving them.
 */
export function chunkList(files: readonly { readonly name: string; readonly start: number }[]): string {
  const lines = files.flatMap(({ name, start }, index) => {
    const next = files[index + 1];
    return [
      `file ${name}`,
      ...(index === 0 ? [] : [`inpoint ${start}`]),
      ...(next ? [`duration ${next.start - (index === 0 ? 0 : start)}`] : []),
    ];
  });
  return ['ffconcat version 1.0', ...lines, ''].join('\n');
}

function rateOf({ fps }: RenditionSpec): string[] {
  return fps === null ? [] : [`fps=${fps}`];
}

function pictureOf({ width, height }: RenditionSpec): string[] {
  return [`scale=${width}:${height}`, 'setsar=1', 'format=yuv420p'];
}

function encoderOf({ bitrate, quality, gopFrames, profile }: RenditionSpec): string[] {
  const keyframes =
    gopFrames === null
      ? ['-force_key_frames', `expr:gte(t,n_forced*${defaultGopSeconds})`]
      : ['-g', String(gopFrames), '-keyint_min', String(gopFrames)];
  return [
    // A variable frame rate stays one: frames are not repeated to fill its gaps.
    ...['-fps_mode', 'vfr', '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', profile, ...keyframes],
    ...(quality === null ? ['-b:v', String(bitrate)] : ['-crf', String(quality)]),
    ...['-maxrate', String(Math.round(bitrate * 1.1)), '-bufsize', String(bitrate * 2)],
  ];
}
