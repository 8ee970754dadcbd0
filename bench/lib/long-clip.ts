import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

/** Seconds of video that are encoded. Longer files repeat them. */
const LOOP_SECONDS = 20;

export interface LongClipOptions {
  readonly seconds: number;
  /** Video bitrate in bits per second. */
  readonly bitrate: number;
  /** Whether the index is at the start of the file, like in files for the web. Cameras write it at the end. */
  readonly fastStart: boolean;
}

/** Creates a typical upload: MP4 with 1080p30 H.264, B-frames, a keyframe every 2 s and 128 kbit/s AAC. */
export async function makeLongClip(directory: string, { seconds, bitrate, fastStart }: LongClipOptions) {
  const loopPath = join(directory, `loop-${bitrate}.mp4`);
  const path = join(directory, `clip-${seconds}-${bitrate}${fastStart ? '-web' : ''}.mp4`);
  const kilobits = String(Math.round(bitrate / 1_000));
  const encodeArgs =
    '-hide_banner -loglevel error -nostdin -y ' +
    '-f lavfi -i testsrc2=size=1920x1080:rate=30,noise=alls=14:allf=t -f lavfi -i sine=frequency=440:sample_rate=48000 ' +
    `-t ${LOOP_SECONDS} -c:v libx264 -preset superfast -pix_fmt yuv420p -bf 2 -g 60 -keyint_min 60 -sc_threshold 0 ` +
    `-b:v ${kilobits}k -minrate ${kilobits}k -maxrate ${kilobits}k -bufsize ${kilobits}k -c:a aac -b:a 128k -ac 2`;
  await execFileAsync('ffmpeg', [...encodeArgs.split(' '), loopPath], { timeout: 300_000 });
  const copyArgs =
    `-hide_banner -loglevel error -nostdin -y -stream_loop -1 -i ${loopPath} -t ${seconds} -c copy` +
    (fastStart ? ' -movflags +faststart' : '');
  await execFileAsync('ffmpeg', [...copyArgs.split(' '), path], { timeout: 300_000 });
  return path;
}
