import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { hasProgram } from '../postgres/child';
import { ExpectedError } from './expected-error';
import { runToEnd } from './run-to-end';

const runProgram = promisify(execFile);
const MIN_VERSION = 5;

/**
 * Installs ffmpeg with apt-get if version 5 or newer is missing.
 * @throws ExpectedError if that is not possible
 */
export async function ensureFfmpeg(log: (line: string) => void, signal: AbortSignal): Promise<void> {
  const foundVersion = await findFfmpegVersion();
  if (foundVersion !== null && foundVersion >= MIN_VERSION) return;
  const requirement = `Headwater needs ffmpeg ${MIN_VERSION} or newer with ffprobe${foundVersion === null ? '' : ` (found ${foundVersion})`}`;
  if (!(await installPackage('ffmpeg', log, signal))) {
    throw new ExpectedError(
      `${requirement}. Install it (Debian: sudo apt-get install ffmpeg) and start again.`,
    );
  }
  const installedVersion = await findFfmpegVersion();
  if (installedVersion === null || installedVersion < MIN_VERSION) {
    throw new ExpectedError(
      `${requirement}, but apt-get installed ${installedVersion ?? 'none'}. See https://ffmpeg.org/download.html`,
    );
  }
}

/** Major version in the output of `ffmpeg -version`; infinity for a build from git, null if there is none. */
export function parseFfmpegVersion(output: string): number | null {
  const version = /^ffmpeg version (\S+)/.exec(output)?.[1];
  if (!version) return null;
  const major = /^n?(\d+)\.\d/.exec(version)?.[1];
  return major ? Number(major) : Number.POSITIVE_INFINITY;
}

async function findFfmpegVersion(): Promise<number | null> {
  try {
    const [{ stdout }] = await Promise.all([
      runProgram('ffmpeg', ['-version']),
      runProgram('ffprobe', ['-version']),
    ]);
    return parseFfmpegVersion(stdout);
  } catch {
    return null;
  }
}

/**
 * Installs a Debian package if no password is needed.
 * @returns whether it was installed
 */
export async function installPackage(
  name: string,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  if (!hasProgram('apt-get')) return false;
  const isRoot = process.getuid?.() === 0;
  if (
    !isRoot &&
    !(await runProgram('sudo', ['-n', 'true']).then(
      () => true,
      () => false,
    ))
  )
    return false;
  log(`Installing ${name} with apt-get …`);
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['-qq', 'update'],
    ['-qq', 'install', '-y', '--no-install-recommends', name],
  ]) {
    const command = isRoot
      ? { command: 'apt-get', args }
      : { command: 'sudo', args: ['-n', 'apt-get', ...args] };
    try {
      await runToEnd(command, log, signal, quiet);
    } catch (error) {
      signal.throwIfAborted();
      log(error instanceof Error ? error.message : String(error));
      return false;
    }
  }
  return true;
}
