import type { FfmpegPlan } from './plan';

/** Where and how the test pattern is published. */
export interface TestPatternOptions {
  /** URL of the server without application and key, such as `rtmp://127.0.0.1:1935/`. */
  readonly url: string;
  /** Option file with application and key, written by `writeOptionFile`. */
  readonly secretsFile: string;
  /** Whether to draw the time of day; requires an ffmpeg that can draw text. */
  readonly drawsClock: boolean;
}

/** `%T` needs one backslash for the option parser; the quotes protect it from the filter graph parser. */
const clockFilter =
  "drawtext=text='%{gmtime\\:%T} UTC':fontsize=56:fontcolor=white:box=1:boxcolor=black@0.6:boxborderw=16:x=(w-tw)/2:y=h-th-48";

/** The built-in test pattern: 720p30 with a 440 Hz tone and a keyframe every 2 s, published in real time. */
export function planTestPattern({ url, secretsFile, drawsClock }: TestPatternOptions): FfmpegPlan {
  return {
    inputs: [
      { options: ['-re', '-f', 'lavfi'], url: 'testsrc2=size=1280x720:rate=30' },
      { options: ['-re', '-f', 'lavfi'], url: 'sine=frequency=440:sample_rate=48000' },
    ],
    outputs: [
      {
        options: [
          ...['-map', '0:v', '-map', '1:a'],
          ...(drawsClock ? ['-vf', clockFilter] : []),
          ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-profile:v', 'main'],
          ...['-pix_fmt', 'yuv420p', '-g', '60', '-keyint_min', '60', '-sc_threshold', '0'],
          ...['-b:v', '1500k', '-maxrate', '1800k', '-bufsize', '3000k'],
          ...['-c:a', 'aac', '-b:a', '96k', '-ac', '2', '-af', 'volume=0.2'],
          ...['-fpre', secretsFile],
          ...['-flvflags', 'no_duration_filesize', '-rw_timeout', '10000000', '-f', 'flv'],
        ],
        url,
      },
    ],
  };
}

/** Draws text on one frame, which fails where ffmpeg was built without drawtext or no font is installed. */
export const drawTextTestPlan: FfmpegPlan = {
  inputs: [{ options: ['-f', 'lavfi'], url: 'color=size=320x180:rate=1:duration=1' }],
  outputs: [{ options: ['-vf', 'drawtext=text=x', '-frames:v', '1', '-f', 'null'], url: '-' }],
};
