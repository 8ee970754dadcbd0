import { spawn } from 'node:child_process';

/**
 * Kills every ffmpeg that this process starts during an action, as a system without memory does. Needs pkill.
 * @returns the result of the action
 */
export async function killFfmpegDuring<T>(action: () => Promise<T>): Promise<T> {
  // Each step of the sandbox replaces the previous one, so ffmpeg is a child of this process.
  const command = `while :; do pkill -KILL -P ${process.pid} -x ffmpeg; sleep 0.005; done`;
  const killer = spawn('sh', ['-c', command], { stdio: 'ignore' });
  try {
    return await action();
  } finally {
    killer.kill();
  }
}
