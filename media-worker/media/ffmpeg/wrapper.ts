import { rmSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { scratchFolder } from '@/media-worker/kit/process/scratch-folder';
import {
  detectSandboxSupport,
  confinementArgs,
  dropCapabilities,
  quoteWord,
  type SandboxSupport,
} from './sandbox';
import type { ProgramFiles } from './plan';

/** Limits of a program that reads untrusted media. */
export interface SandboxLimits {
  /** Bytes of private memory. Address space is no useful limit, because each thread reserves far more than it uses. */
  readonly memory: number;
  /** Largest size of each written file, bytes. */
  readonly fileSize: number;
  /** CPU time in seconds; unlimited if absent, and the caller must end the program. */
  readonly cpuSeconds?: number;
  /** Niceness; 10 by default. */
  readonly nice?: number;
  /** Keeps the network for sending media to another service; all other limits apply. */
  readonly network?: true;
}

/** A script that starts a program in a sandbox. */
export interface Wrapper {
  /** Path of the script. */
  readonly path: string;
  /** Releases the wrapper after the program has ended. Idempotent. */
  close(): void;
}

/** An empty environment hides APP_SECRET and DATABASE_URL from the program. */
const cleanEnvironment = 'exec env -i PATH="$PATH" ${LANG:+LANG="$LANG"}';

/**
 * Arguments that end a program with its parent process. The signal for the parent's death is set late, so an earlier death
 * is detected by comparing the parent's pid. Every step executes the next one in its place, so that signals reach
 * ffmpeg.
 */
function parentBoundArgs(parentPid: number, support: SandboxSupport, dropsPrivileges: boolean): string[] {
  const privileges = dropsPrivileges && support.dropCapabilities ? dropCapabilities : [];
  if (!support.parentDeath) return privileges.length > 0 ? ['setpriv', ...privileges] : [];
  const check = `[ "$PPID" = ${parentPid} ] && exec "$0" "$@"`;
  return ['setpriv', ...privileges, '--pdeathsig', 'KILL', 'sh', '-c', check];
}

/**
 * The script that fluent-ffmpeg runs as ffmpeg. On systems that support it, ffmpeg ends with the process `parentPid`, even
 * if that is killed by SIGKILL.
 */
export const plainScript = (parentPid: number, support: SandboxSupport): string =>
  buildScript([...parentBoundArgs(parentPid, support, false), 'ffmpeg']);

/**
 * The script with resource limits, without network, and with access only to the program's own files. setpriv comes
 * last, because entering a user namespace clears the death signal.
 */
export function sandboxScript(
  program: string,
  limits: SandboxLimits,
  files: ProgramFiles,
  parentPid: number,
  support: SandboxSupport,
): string {
  const { memory, fileSize, cpuSeconds, nice = 10, network = false } = limits;
  // The soft limit sends SIGXCPU, which tells it from a program that the system killed; the hard limit sends SIGKILL.
  const cpu = cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}:${cpuSeconds + 5}`];
  const prlimit = ['prlimit', `--data=${memory}`, '--nofile=256', '--core=0', `--fsize=${fileSize}`, ...cpu];
  return buildScript([
    ...confinementArgs(support, { network, ...files }),
    ...(support.limits ? prlimit : []),
    ...['nice', '-n', String(nice), ...parentBoundArgs(parentPid, support, true), program],
  ]);
}

const buildScript = (command: readonly string[]): string =>
  `#!/bin/sh\n${cleanEnvironment} ${command.map(quoteWord).join(' ')} "$@"\n`;

let plainScriptPath: string | null = null;
let sandboxCount = 0;

/** Path of a script that runs ffmpeg, made once per process. */
export function ffmpegWrapper(): string {
  return (plainScriptPath ??= writeScript('ffmpeg', plainScript(process.pid, detectSandboxSupport())));
}

/**
 * Confines a program for one run on these files.
 * @param program name of a program, or path of one that belongs to the service
 */
export function openSandbox(program: string, limits: SandboxLimits, files: ProgramFiles): Wrapper {
  const name = `${basename(program)}-${(sandboxCount += 1)}`;
  const executablePaths = [...(files.executable ?? []), ...(isAbsolute(program) ? [program] : [])];
  const support = detectSandboxSupport();
  const path = writeScript(
    name,
    sandboxScript(program, limits, { ...files, executable: executablePaths }, process.pid, support),
  );
  return { path, close: () => rmSync(path, { force: true }) };
}

/** Writes a script that only this user can read. */
function writeScript(name: string, text: string): string {
  const path = join(scratchFolder(), name);
  writeFileSync(path, text, { mode: 0o700 });
  return path;
}
