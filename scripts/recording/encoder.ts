import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { diesWithParent } from '../postgres/child';
import { runToEnd } from '../service/run-to-end';

/** Creates the video that encoders of recordings send. */
export async function makeSource(
  folder: string,
  say: (line: string) => void,
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
  await runToEnd({ command: 'ffmpeg', args }, say, signal);
  return path;
}

/** Sends the video in a loop, in real time. */
export function startEncoder(source: string, url: string): ChildProcess {
  const args = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', source, '-c', 'copy', '-f', 'flv', url];
  const command = diesWithParent({ command: 'ffmpeg', args });
  return spawn(command.command, command.args, { stdio: 'ignore' });
}

/** Receives one RTMP stream at any name, as another service would. */
export function startReceiver(port: number): ChildProcess {
  const args = ['-v', 'error', '-listen', '1', '-i', `rtmp://127.0.0.1:${port}/live`, '-f', 'null', '-'];
  const command = diesWithParent({ command: 'ffmpeg', args });
  return spawn(command.command, command.args, { stdio: 'ignore' });
}
