import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { killWithParent } from '../postgres/child';
import { runToEnd } from '../service/run-to-end';

/**
 * Encodes the test video: 20 s of 720p at 30 frames per second with a tone.
 * @param folder folder for the file
 * @returns its path
 */
export async function createSourceVideo(
  folder: string,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const path = join(folder, 'source.mp4');
  const input = ['-filter_complex', buildSunsetFilterGraph(), '-map', '[picture]', '-map', '[sound]'];
  // A keyframe every 60 frames (2 s) and nowhere else, and no B-frames.
  const gop = ['-g', '60', '-sc_threshold', '0', '-bf', '0'];
  const quality = ['-preset', 'veryfast', '-b:v', '2500k', '-pix_fmt', 'yuv420p'];
  const video = ['-c:v', 'libx264', ...quality, ...gop];
  const args = ['-v', 'error', '-y', ...input, '-t', '20', ...video, '-c:a', 'aac', path];
  await runToEnd({ command: 'ffmpeg', args }, log, signal);
  return path;
}

/**
 * The ffmpeg filter graph of a sun above the sea, labelled `[picture]`, and of a tone, labelled `[sound]`. Noise raises the
 * bitrate to that of a camera.
 */
function buildSunsetFilterGraph(): string {
  const rate = 'rate=30';
  const sky = `gradients=size=1280x720:${rate}:speed=0.00001:x0=640:y0=0:x1=640:y1=450:nb_colors=4`;
  const skyColors = 'c0=0x0b2545:c1=0x13748f:c2=0xf2b56b:c3=0xd95d39';
  const disc = `geq=lum='p(X,Y)':a='255*clip((90-hypot(X-90,Y-90))/3,0,1)'`;
  const reflections = Array.from({ length: 6 }, (_, index) => {
    const width = 150 + 46 * index;
    const opacity = (0.75 - 0.09 * index).toFixed(2);
    const x = `${640 - width / 2}+${14 + 6 * index}*sin(t*${(1.1 + 0.17 * index).toFixed(2)}+${index})`;
    return [
      `color=c=0xf2b56b@${opacity}:size=${width}x7:${rate},format=rgba[line${index}]`,
      `[water${index}][line${index}]overlay=y=${470 + 38 * index}:x='${x}'[water${index + 1}]`,
    ];
  });
  return [
    `${sky}:${skyColors}[sky]`,
    `color=c=0xffe9b8:size=180x180:${rate},format=rgba,trim=end_frame=1,${disc},loop=-1:1[sun]`,
    `[sky][sun]overlay=x=550:y='300+14*sin(t/2)'[evening]`,
    `color=c=0x0b2545:size=1280x270:${rate}[sea]`,
    `[evening][sea]overlay=y=450[water0]`,
    ...reflections.flat(),
    `[water${reflections.length}]noise=alls=5:allf=t[picture]`,
    `sine=frequency=330[sound]`,
  ].join(';');
}

/** Publishes the video at `sourcePath` to an RTMP URL in a loop, in real time, without encoding it again. */
export function startEncoder(sourcePath: string, url: string): ChildProcess {
  const args = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', sourcePath, '-c', 'copy', '-f', 'flv', url];
  const command = killWithParent({ command: 'ffmpeg', args });
  return spawn(command.command, command.args, { stdio: 'ignore' });
}

/** Starts an RTMP server that accepts one stream with any name, like a multistream target. */
export function startReceiver(port: number): ChildProcess {
  const args = ['-v', 'error', '-listen', '1', '-i', `rtmp://127.0.0.1:${port}/live`, '-f', 'null', '-'];
  const command = killWithParent({ command: 'ffmpeg', args });
  return spawn(command.command, command.args, { stdio: 'ignore' });
}
