import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Creates the source of every publisher: 720p30, 2 Mbit/s H.264 without B-frames, a keyframe every 2 s, 128 kbit/s AAC.
 * It lasts 40 s, so that a measured window rarely contains the end of the loop.
 */
export async function makeClip(directory: string): Promise<string> {
  const path = join(directory, 'clip.mp4');
  const options =
    '-hide_banner -loglevel error -y ' +
    '-f lavfi -i testsrc2=size=1280x720:rate=30,noise=alls=12:allf=t -f lavfi -i sine=frequency=440:sample_rate=48000 ' +
    '-t 40 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 0 -g 60 -keyint_min 60 -sc_threshold 0 ' +
    '-b:v 2000k -minrate 2000k -maxrate 2000k -bufsize 2000k -c:a aac -b:a 128k -ac 2';
  await promisify(execFile)('ffmpeg', [...options.split(' '), path], { timeout: 120_000 });
  return path;
}

/** ffmpeg arguments that publish the clip in real time in an endless loop, without encoding. */
export const publisherArguments = (clip: string, url: string): string[] =>
  `-hide_banner -loglevel error -nostdin -re -stream_loop -1 -i ${clip} -c copy -f flv ${url}`.split(' ');
