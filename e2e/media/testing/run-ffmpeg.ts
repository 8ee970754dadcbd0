import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Runs ffmpeg without blocking this process, which otherwise sends its next request on a connection that the service has
 * closed in the meantime.
 * @returns what ffmpeg writes to stdout
 */
export async function runFfmpeg(...args: readonly string[]): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: 2 ** 26 } as const;
  return (await run('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args], options)).stdout;
}
