import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Seconds that are encoded; a longer file repeats them. */
const loopSeconds = 20;

export interface LongClip {
  readonly seconds: number;
  /** Video bitrate in bits per second. */
  readonly bitrate: number;
  /** Whether the index comes first, as in files for the web, or last, as cameras write it. */
  readonly fastStart: boolean;
}

/** Creates a typical upload: MP4 with 1080p30 H.264, B-frames, a keyframe every 2 s and 128 kbit/s AAC. */
export async function makeLongClip(directory: string, { seconds, bitrate, fastStart }: LongClip) {
  const loop = join(directory, `loop-${bitrate}.mp4`);
  const path = join(directory, `clip-${seconds}-${bitrate}${fastStart ? '-web' : ''}.mp4`);
  const kilobits = String(Math.round(bitrate / 1_000));
  const source =
    '-hide_banner -loglevel error -nostdin -y ' +
    '-f lavfi -i testsrc2=size=1920x1080:rate=30,noise=alls=14:allf=t -f lavfi -i sine=frequency=440:sample_rate=48000 ' +
    `-t ${loopSeconds} -c:v libx264 -preset superfast -pix_fmt yuv420p -bf 2 -g 60 -keyint_min 60 -sc_threshold 0 ` +
    `-b:v ${kilobits}k -minrate ${kilobits}k -maxrate ${kilobits}k -bufsize ${kilobits}k -c:a aac -b:a 128k -ac 2`;
  await run('ffmpeg', [...source.split(' '), loop], { timeout: 300_000 });
  const copy =
    `-hide_banner -loglevel error -nostdin -y -stream_loop -1 -i ${loop} -t ${seconds} -c copy` +
    (fastStart ? ' -movflags +faststart' : '');
  await run('ffmpeg', [...copy.split(' '), path], { timeout: 300_000 });
  return path;
}
