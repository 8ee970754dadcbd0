import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Finds the process ids of the ffmpeg processes that encode Opus for a process and its children. */
export async function findOpusEncoderPids(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args=']);
  const processes = stdout.split('\n').map((line) => {
    const [, id, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return { id: Number(id), parent: Number(parent), args };
  });
  const descendants = new Set([pid]);
  // A child is listed after its parent, or is found in a later pass.
  for (let size = 0; size !== descendants.size;) {
    size = descendants.size;
    for (const { id, parent } of processes) if (descendants.has(parent)) descendants.add(id);
  }
  return processes
    .filter(({ id, args }) => descendants.has(id) && /^\S*ffmpeg .*libopus/.test(args))
    .map(({ id }) => id);
}
