import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { killWithParent } from '../postgres/child';
import { runToEnd } from '../service/run-to-end';

/** Creates the video that encoders of recordings send. */
export async function createSourceVideo(
  folder: string,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const path = join(folder, 'source.mp4');
  const input = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=1280x720:rate=30',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=330',
  ];
  const video = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '60', '-bf', '0'];
  const args = ['-v', 'error', '-y', ...input, '-t', '20', ...video, '-c:a', 'aac', path];
  await runToEnd({ command: 'ffmpeg', args }, log, signal);
  return path;
}

/** Sends the video in a loop, in real time. */
export function startEncoder(source: string, url: string): ChildProcess {
  const args = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', source, '-c', 'copy', '-f', 'flv', url];
  const command = killWithParent({ command: 'ffmpeg', args });
  return spawn(command.command, command.args, { stdio: 'ignore' });
}

/** Starts an RTMP server that accepts one stream with any name, like a multistream target. */
export function startReceiver(port: number): ChildProcess {
  const args = ['-v', 'error', '-listen', '1', '-i', `rtmp://127.0.0.1:${port}/live`, '-f', 'null', '-'];
  const command = killWithParent({ command: 'ffmpeg', args });
  return spawn(command.command, command.args, { stdio: 'ignore' });
}
