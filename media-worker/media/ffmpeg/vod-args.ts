import type { VideoEnd } from '@/lib/core/media/media-probe';
import type { StoryboardLayout } from '@/lib/core/media/storyboard';
import type { FfmpegEndpoint, FfmpegPlan } from './plan';

/**
 * Arguments that read an untrusted file only as the format accepted for it.
 * @param path absolute path
 * @param demuxer demuxer of its container
 */
export function fileInput(path: string, options: readonly string[] = [], demuxer = 'mov'): FfmpegEndpoint {
  return { options: ['-protocol_whitelist', 'file', ...options, '-f', demuxer], url: `file:${path}` };
}

/** A file and its played tracks. */
export interface PlayedSource {
  readonly input: string;
  /** Demuxer of the file; `mov` by default. */
  readonly demuxer?: string;
  /** Indexes of the tracks in the file, video first. */
  readonly playedTracks: readonly number[];
  /** End of the last frame (`videoEndOf`); null or absent if it is not known. */
  readonly videoEnd?: VideoEnd | null;
}

/** Options that drop damaged frames, because browsers stop at a truncated frame, for example at the end of a capture. */
const discardDamagedArgs = ['-fflags', '+discardcorrupt'];

/**
 * Arguments for copied tracks whose timestamps start again, as in files that were joined: a packet that is earlier than the
 * one before follows it. Without them, ffmpeg puts everything after such a place within a few milliseconds. Times that only
 * rise are unchanged.
 * @param demuxer demuxer of the file; others than those of MP4 and FLV have packets without a presentation time
 * @param videoEnd end of the last frame, or null
 */
function risingTimesArgs(demuxer = 'mov', videoEnd: VideoEnd | null = null): string[] {
  if (demuxer !== 'mov' && demuxer !== 'flv') return [];
  const step = 'if(gte(DTS,PREV_INDTS),DTS-PREV_INDTS,max(DURATION,1))';
  const filter = `setts=dts='if(eq(N,0),DTS,PREV_OUTDTS+${step})':pts='if(eq(N,0),PTS,PREV_OUTDTS+${step}+PTS-DTS)'`;
  const videoFilter = videoEnd ? filter + lastFrameDuration(videoEnd.seconds) : filter;
  // The filter calculates with the ticks of the file, which the output must have too.
  const timescale = videoEnd ? ['-video_track_timescale', String(videoEnd.timescale)] : [];
  return ['-bsf:v', videoFilter, '-bsf:a', filter, ...timescale];
}

/**
 * The part of a `setts` filter that lets each frame last until the end of the video, in the order of presentation and of
 * decoding. The muxer of MP4 uses the durations only for the last frame and for the end of the edit list.
 */
function lastFrameDuration(seconds: number): string {
  const end = `${seconds.toFixed(6)}/TB`;
  return `:duration='max(DURATION,min(${end}-PTS,${end}-STARTPTS-DTS+STARTDTS))'`;
}

/** Arguments for the last frame of copied video, which may be longer than the others, as in a slide show. */
export const lastCopiedFrameArgs = ({ seconds }: Pick<VideoEnd, 'seconds'>): string[] => [
  ...['-bsf:v', `setts=pts=PTS:dts=DTS${lastFrameDuration(seconds)}`],
];

/** Minimum timescale of a track that ffmpeg writes to an MP4. */
const MIN_TIMESCALE = 10_000;

/** `lastCopiedFrameArgs` for encoded video. The filter calculates with the ticks of the encoder, which the MP4 must have too. */
export function lastEncodedFrameArgs(videoEnd: VideoEnd): string[] {
  let { timescale } = videoEnd;
  while (timescale < MIN_TIMESCALE) timescale *= 2;
  return ['-enc_time_base', `1:${timescale}`, ...lastCopiedFrameArgs(videoEnd)];
}

/**
 * The played tracks of a file with the index first, for progressive playback.
 * @param audioArgs ffmpeg arguments for the audio; absent: audio is copied like video
 */
export function planFastStart(
  { input, demuxer, playedTracks, videoEnd }: PlayedSource,
  output: string,
  audioArgs: readonly string[] = [],
): FfmpegPlan {
  const mapArgs = playedTracks.flatMap((index) => ['-map', `0:${index}`]);
  // No timecode track, which the muxer would add for video that had one.
  const muxerArgs = ['-movflags', '+faststart', '-write_tmcd', '0', '-f', 'mp4', '-y'];
  return {
    inputs: [fileInput(input, discardDamagedArgs, demuxer)],
    outputs: [
      {
        options: [
          ...mapArgs,
          ...['-map_chapters', '-1', '-c', 'copy'],
          ...audioArgs,
          ...risingTimesArgs(demuxer, videoEnd),
          ...muxerArgs,
        ],
        url: `file:${output}`,
      },
    ],
  };
}

/**
 * A part of the played tracks, copied from the preceding keyframe. An edit list hides frames before the start, so the
 * first visible frame is exact; the end is exact to a few frames.
 * @param startsBeforeVideo whether the part starts before the first video frame, where seeking would lose the audio before it
 */
export function planCut(
  { input, playedTracks }: PlayedSource,
  output: string,
  {
    startSeconds,
    durationSeconds,
    startsBeforeVideo,
  }: {
    readonly startSeconds: number;
    readonly durationSeconds: number;
    readonly startsBeforeVideo: boolean;
  },
): FfmpegPlan {
  const mapArgs = playedTracks.flatMap((index) => ['-map', `0:${index}`]);
  const muxerArgs = ['-movflags', '+faststart', '-write_tmcd', '0', '-f', 'mp4', '-y'];
  const seekArgs = ['-ss', startSeconds.toFixed(6)];
  return {
    inputs: [fileInput(input, startsBeforeVideo ? [] : seekArgs)],
    outputs: [
      {
        options: [
          ...mapArgs,
          ...(startsBeforeVideo ? seekArgs : []),
          ...['-t', durationSeconds.toFixed(6), '-map_chapters', '-1', '-c', 'copy', ...muxerArgs],
        ],
        url: `file:${output}`,
      },
    ],
  };
}

/**
 * Copies the played tracks to a Matroska file: times start at zero without jumps, the duration is known, and every
 * keyframe can be sought. Packets without a presentation time get one.
 */
export function planStraightening(
  { input, demuxer, playedTracks }: PlayedSource,
  output: string,
): FfmpegPlan {
  const mapArgs = playedTracks.flatMap((index) => ['-map', `0:${index}`]);
  return {
    inputs: [fileInput(input, ['-fflags', '+genpts+discardcorrupt'], demuxer)],
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
          ...risingTimesArgs(demuxer),
          '-f',
          'matroska',
          '-y',
        ],
        url: `file:${output}`,
      },
    ],
  };
}

/** The audio of an asset's MP4, copied to its own file. */
export function planAudio(input: string, output: string): FfmpegPlan {
  // ffmpeg's muxer for M4A is called `ipod`.
  const muxerArgs = ['-movflags', '+faststart', '-f', 'ipod', '-y'];
  return {
    inputs: [fileInput(input)],
    outputs: [
      {
        options: ['-map', '0:a:0', '-map_chapters', '-1', '-c', 'copy', ...muxerArgs],
        url: `file:${output}`,
      },
    ],
  };
}

/** A poster: one frame of a video at `seconds` as JPEG, at most 1280 pixels wide. */
export function planPoster(input: string, output: string, seconds: number): FfmpegPlan {
  return {
    inputs: [fileInput(input, ['-ss', seconds.toFixed(3)])],
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

/** The frame at `leadSeconds` of a file whose edit list is ignored, in the format of `planPoster`. */
export function planHeldFrame(input: string, output: string, leadSeconds: number): FfmpegPlan {
  // `-t` excludes a frame at its end.
  const endSeconds = (leadSeconds + 0.001).toFixed(3);
  return {
    inputs: [fileInput(input, ['-ignore_editlist', '1'])],
    outputs: [
      {
        options: [
          ...[
            '-map',
            '0:v:0',
            '-t',
            endSeconds,
            '-vf',
            "scale='min(1280,iw)':-2",
            '-fps_mode',
            'passthrough',
          ],
          // Each frame replaces the previous picture, so that the last frame remains.
          ...['-q:v', '3', '-threads', '1', '-update', '1', '-f', 'image2', '-y'],
        ],
        url: output,
      },
    ],
  };
}

/** Sheets of small frames for the seek bar, from keyframes only, which is ten times cheaper than decoding all frames. */
export function planStoryboard(input: string, folder: string, layout: StoryboardLayout): FfmpegPlan {
  const { intervalSeconds, width, height, columns, rows } = layout;
  const frameFilter = `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1`;
  return {
    inputs: [fileInput(input, ['-skip_frame', 'nokey', '-threads', '1'])],
    outputs: [
      {
        options: [
          ...[
            '-map',
            '0:v:0',
            '-vf',
            `fps=1/${intervalSeconds}:round=up,${frameFilter},tile=${columns}x${rows}`,
          ],
          ...['-q:v', '5', '-threads', '1', '-f', 'image2', '-y'],
        ],
        url: `${folder}/storyboard-%d.jpg`,
      },
    ],
  };
}
