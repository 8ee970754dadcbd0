import type { StoryboardLayout } from '@/lib/core/media/storyboard';
import type { FfmpegEnd, FfmpegPlan } from './plan';

/**
 * Arguments that read an untrusted file only as its accepted format.
 * @param path absolute path
 * @param demuxer demuxer of
 * its container
 */
export function foreignInput(path: string, options: readonly string[] = [], demuxer = 'mov'): FfmpegEnd {
  return { options: ['-protocol_whitelist', 'file', ...options, '-f', demuxer], url: `file:${path}` };
}

/** Tracks of a file that are read, and how. */
export interface PlayedSource {
  readonly input: string;
  /** Default: `mov`. */
  readonly demuxer?: string;
  /** Indexes of the tracks in the file, video first. */
  readonly playedTracks: readonly number[];
}

/** Browsers stop at a truncated frame, for example at the end of a capture. */
const withoutDamage = ['-fflags', '+discardcorrupt'];

/**
 * The played tracks of a file with the index first, for progressive playback.
 * @param sound audio options; without them
 * it is copied like the video
 */
export function fastStartPlan(
  { input, demuxer, playedTracks }: PlayedSource,
  output: string,
  sound: readonly string[] = [],
): FfmpegPlan {
  const mapArgs = playedTracks.flatMap((index) => ['-map', `0:${index}`]);
  // Without a timecode track, which the muxer would add for video that had one.
  const muxer = ['-movflags', '+faststart', '-write_tmcd', '0', '-f', 'mp4', '-y'];
  return {
    inputs: [foreignInput(input, withoutDamage, demuxer)],
    outputs: [
      {
        options: [...mapArgs, '-map_chapters', '-1', '-c', 'copy', ...sound, ...muxer],
        url: `file:${output}`,
      },
    ],
  };
}

/**
 * A part of the played tracks, copied from the keyframe before it. An edit list hides frames before `start`, so the
 * first visible frame is exact; the end is exact to a few frames.
 * @param start in seconds, like `seconds`
 * @param beforePicture it is before the first picture, where a search in the file would go without the earlier sound
 */
export function cutPlan(
  { input, playedTracks }: PlayedSource,
  output: string,
  {
    start,
    seconds,
    beforePicture,
  }: { readonly start: number; readonly seconds: number; readonly beforePicture: boolean },
): FfmpegPlan {
  const mapArgs = playedTracks.flatMap((index) => ['-map', `0:${index}`]);
  const muxer = ['-movflags', '+faststart', '-write_tmcd', '0', '-f', 'mp4', '-y'];
  const from = ['-ss', start.toFixed(6)];
  return {
    inputs: [foreignInput(input, beforePicture ? [] : from)],
    outputs: [
      {
        options: [
          ...mapArgs,
          ...(beforePicture ? from : []),
          ...['-t', seconds.toFixed(6), '-map_chapters', '-1', '-c', 'copy', ...muxer],
        ],
        url: `file:${output}`,
      },
    ],
  };
}

/**
 * The played tracks copied to a Matroska file: times start at zero without jumps, the duration is known, and any
 * keyframe can be found. Packets without a presentation time get one.
 */
export function straightenPlan({ input, demuxer, playedTracks }: PlayedSource, output: string): FfmpegPlan {
  const mapArgs = playedTracks.flatMap((index) => ['-map', `0:${index}`]);
  return {
    inputs: [foreignInput(input, ['-fflags', '+genpts+discardcorrupt'], demuxer)],
    outputs: [
      {
        options: [
          ...mapArgs,
          '-map_chapters',
          '-1',
          '-map_metadata',
          '-1',
          '-c',
          'copy',
          '-f',
          'matroska',
          '-y',
        ],
        url: `file:${output}`,
      },
    ],
  };
}

/** The audio of an asset's MP4 in a file of its own, copied. */
export function audioPlan(input: string, output: string): FfmpegPlan {
  const muxer = ['-movflags', '+faststart', '-f', 'ipod', '-y'];
  return {
    inputs: [foreignInput(input)],
    outputs: [
      {
        options: ['-map', '0:a:0', '-map_chapters', '-1', '-c', 'copy', ...muxer],
        url: `file:${output}`,
      },
    ],
  };
}

/** One picture at `seconds`, at most 1280 wide. */
export function posterPlan(input: string, output: string, seconds: number): FfmpegPlan {
  return {
    inputs: [foreignInput(input, ['-ss', seconds.toFixed(3)])],
    outputs: [
      {
        options: [
          ...['-map', '0:v:0', '-frames:v', '1', '-vf', "scale='min(1280,iw)':-2", '-q:v', '3'],
          ...['-threads', '1', '-f', 'mjpeg', '-y'],
        ],
        url: `file:${output}`,
      },
    ],
  };
}

/** The picture at `leadSeconds` of a file, ignoring its edit list, in the form of `posterPlan`. */
export function heldPicturePlan(input: string, output: string, leadSeconds: number): FfmpegPlan {
  const until = (leadSeconds + 0.001).toFixed(3);
  return {
    inputs: [foreignInput(input, ['-ignore_editlist', '1'])],
    outputs: [
      {
        options: [
          ...['-map', '0:v:0', '-t', until, '-vf', "scale='min(1280,iw)':-2", '-fps_mode', 'passthrough'],
          // Each picture replaces the previous one.
          ...['-q:v', '3', '-threads', '1', '-update', '1', '-f', 'image2', '-y'],
        ],
        url: output,
      },
    ],
  };
}

/** Sheets of small pictures from keyframes only: ten times cheaper than decoding everything. */
export function storyboardPlan(input: string, folder: string, layout: StoryboardLayout): FfmpegPlan {
  const { interval, width, height, columns, rows } = layout;
  const picture = `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1`;
  return {
    inputs: [foreignInput(input, ['-skip_frame', 'nokey', '-threads', '1'])],
    outputs: [
      {
        options: [
          ...['-map', '0:v:0', '-vf', `fps=1/${interval}:round=up,${picture},tile=${columns}x${rows}`],
          ...['-q:v', '5', '-threads', '1', '-f', 'image2', '-y'],
        ],
        url: `${folder}/storyboard-%d.jpg`,
      },
    ],
  };
}
