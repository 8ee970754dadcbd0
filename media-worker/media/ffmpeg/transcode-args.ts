import type { EncodeChunk } from '@/lib/core/renditions/encode-plan';
import type { VideoEnd } from '@/lib/core/media/media-probe';
import type { RenditionSpec } from '@/lib/core/renditions/ladder';
import type { FfmpegPlan } from './plan';
import { lastEncodedFrameArgs, fileInput, lastCopiedFrameArgs } from './vod-args';

/** Default keyframe interval in seconds, which gives short HLS segments. */
export const DEFAULT_GOP_SECONDS = 2;
/** Seconds read before a chunk, because filters may need earlier frames. */
const LEAD_SECONDS = 2;

/** How to read and convert a file in a foreign format: any file but an asset's own MP4 (conversion-args.ts). */
export interface ForeignSource {
  readonly demuxer: string;
  /** Track index of the video in the file. */
  readonly videoTrack: number;
  readonly audioTrack: number | null;
  /** Filters that need neighbouring frames, or that select frames. */
  readonly frameFilters: readonly string[];
  /** Filters of each frame before it is scaled. */
  readonly videoFilters: readonly string[];
  /** Extra options of the video encoder. */
  readonly encoderArgs: readonly string[];
  /** Audio options; the audio is copied if empty. */
  readonly audioArgs: readonly string[];
}

export interface TranscodeOptions {
  readonly input: string;
  readonly output: string;
  readonly rendition: RenditionSpec;
  /** Absent for an MP4 of an asset, whose first tracks are the played ones. */
  readonly source?: ForeignSource;
  /** End of the last frame of the output; null or absent if it is not known. */
  readonly videoEnd?: VideoEnd | null;
}

/**
 * Ticks per second of the MP4s of chunks (`-movie_timescale`). The start time of a chunk is an empty edit, whose duration is
 * in these ticks. Times in 1/90000 s and frames of 24, 25, 30, 50 and 60 fps, also divided by 1.001, start at whole ticks.
 */
const EXACT_TIMESCALE = 720_000;

const excludeOtherTracks = ['-dn', '-sn', '-map_chapters', '-1'];

/** Encodes one rendition of a whole file. Audio is copied, unless the source has audio options. */
export function planTranscode({ input, output, rendition, source, videoEnd }: TranscodeOptions): FfmpegPlan {
  const filters = [...frameFilters(rendition, source), ...sizeFilters(rendition, source)];
  return {
    inputs: [fileInput(input, [], source?.demuxer)],
    outputs: [
      {
        options: [
          ...['-map', videoMap(source), ...audioMapArgs(0, source), ...excludeOtherTracks],
          ...['-vf', filters.join(','), ...encoderArgs(rendition, source)],
          ...(videoEnd ? lastEncodedFrameArgs(videoEnd) : []),
          ...['-c:a', 'copy', ...(source?.audioArgs ?? []), '-movflags', '+faststart', '-f', 'mp4', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}

/**
 * Encodes the video of one chunk, with its times in the whole file. Frames are selected by display time after the
 * frame rate change, so that adjacent chunks neither share nor miss a frame.
 */
export function planChunk(
  { input, output, rendition, source }: TranscodeOptions,
  { startSeconds: start, endSeconds: end }: EncodeChunk,
  threads: number | null,
): FfmpegPlan {
  const seekArgs = ['-seek_timestamp', '1', '-noaccurate_seek', '-ss', String(start - LEAD_SECONDS)];
  const trimOptions = [...(start > 0 ? [`start=${start}`] : []), ...(end === null ? [] : [`end=${end}`])];
  const trimFilters = trimOptions.length > 0 ? [`trim=${trimOptions.join(':')}`] : [];
  const threadArgs = threads === null ? [] : ['-threads', String(threads)];
  const filters = [...frameFilters(rendition, source), ...trimFilters, ...sizeFilters(rendition, source)];
  const inputArgs = ['-copyts', ...(start > LEAD_SECONDS ? seekArgs : []), ...threadArgs];
  return {
    inputs: [fileInput(input, inputArgs, source?.demuxer)],
    outputs: [
      {
        options: [
          ...['-map', videoMap(source), '-an', ...excludeOtherTracks],
          ...['-vf', filters.join(','), ...encoderArgs(rendition, source), ...threadArgs],
          ...['-movie_timescale', String(EXACT_TIMESCALE), '-f', 'mp4', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}

/**
 * Joins the chunks of the video with the audio of the whole file. Audio is copied, unless the source has audio options.
 * @param listPath path of a file with the text of `formatChunkList`
 */
export function planJoin(
  listPath: string,
  { input, output, source, videoEnd }: Omit<TranscodeOptions, 'rendition'>,
): FfmpegPlan {
  return {
    inputs: [
      {
        options: ['-copyts', '-protocol_whitelist', 'file', '-f', 'concat'],
        url: `file:${listPath}`,
      },
      fileInput(input, [], source?.demuxer),
    ],
    outputs: [
      {
        options: [
          ...[
            '-map',
            '0:v:0',
            ...audioMapArgs(1, source),
            ...excludeOtherTracks,
            '-c',
            'copy',
            ...(videoEnd ? lastCopiedFrameArgs(videoEnd) : []),
            ...(source?.audioArgs ?? []),
          ],
          ...['-movflags', '+faststart', '-f', 'mp4', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}

/**
 * The list of chunks that ffmpeg joins (`planJoin`), as text; the files are in the folder of the list. By default, ffmpeg
 * starts each file where the previous one ends. A start (`inpoint`) and a duration keep the times that the chunks have. The
 * first chunk starts at its own first frame, which may be after 0, and the last one ends with its last frame.
 * @param files in the order of playback; `start` in seconds of the whole video
 */
export function formatChunkList(files: readonly { readonly name: string; readonly start: number }[]): string {
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

const videoMap = (source?: ForeignSource): string => (source ? `0:${source.videoTrack}` : '0:v:0');

function audioMapArgs(input: number, source?: ForeignSource): string[] {
  if (!source) return ['-map', `${input}:a:0?`];
  return source.audioTrack === null ? ['-an'] : ['-map', `${input}:${source.audioTrack}`];
}

function frameFilters({ fps }: RenditionSpec, source?: ForeignSource): string[] {
  return [...(source?.frameFilters ?? []), ...(fps === null ? [] : [`fps=${fps}`])];
}

function sizeFilters({ width, height }: RenditionSpec, source?: ForeignSource): string[] {
  return [...(source?.videoFilters ?? []), `scale=${width}:${height}`, 'setsar=1', 'format=yuv420p'];
}

function encoderArgs(
  { bitrate, quality, gopFrames, profile }: RenditionSpec,
  source?: ForeignSource,
): string[] {
  const keyframeArgs =
    gopFrames === null
      ? ['-force_key_frames', `expr:gte(t,n_forced*${DEFAULT_GOP_SECONDS})`]
      : ['-g', String(gopFrames), '-keyint_min', String(gopFrames)];
  return [
    // A variable frame rate stays variable: no frames are repeated in gaps.
    ...['-fps_mode', 'vfr', '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', profile, ...keyframeArgs],
    ...(quality === null ? ['-b:v', String(bitrate)] : ['-crf', String(quality)]),
    // At most 10% above the bitrate, on average over two seconds.
    ...['-maxrate', String(Math.round(bitrate * 1.1)), '-bufsize', String(bitrate * 2)],
    ...(source?.encoderArgs ?? []),
  ];
}
