import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

const runProgram = promisify(execFile);

/** Finds a port of the loopback interface that is not in use. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const h264 = '-c:v libx264 -preset ultrafast -bf 2 -g 25 -sc_threshold 0';

/**
 * Encodes a clip of thirty seconds. `video` and `audio` are codec options of ffmpeg; by default H.264 with
 * B-frames, and AAC.
 */
export async function makeClip(
  path: string,
  { video = h264, audio = '-c:a aac' }: { readonly video?: string; readonly audio?: string } = {},
): Promise<void> {
  const input = '-f lavfi -i testsrc2=s=320x180:r=25:d=30 -f lavfi -i sine=r=48000:d=30';
  await runProgram('ffmpeg', [
    ...`-v error -y ${input} ${video} -pix_fmt yuv420p ${audio} -f mpegts`.split(' '),
    path,
  ]);
}

export interface Source extends AsyncDisposable {
  readonly process: ChildProcess;
  kill(): Promise<void>;
}

/**
 * Starts an ffmpeg that serves a clip in real time to one caller.
 * @param output output options and URL, as separate arguments
 */
export function serveClip(clip: string, output: readonly string[]): Source {
  const args = ['-v', 'error', '-nostdin', '-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', ...output];
  const child = spawn('ffmpeg', args, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { process: child, kill, [Symbol.asyncDispose]: kill };
}
