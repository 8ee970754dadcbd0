import { rmSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { scratchFolder } from '@/media-worker/kit/process/scratch-folder';
import { sandboxSupport, confine, dropCapabilities, quoteWord, type SandboxSupport } from './sandbox';
import type { ProgramFiles } from './plan';

/** Limits of a program that reads untrusted media. */
export interface SandboxLimits {
  /** Bytes of private memory. Address space says little: each thread reserves far more than it uses. */
  readonly memory: number;
  /** Bytes of each file it writes. */
  readonly fileSize: number;
  /** CPU time in seconds; absent: the caller ends it. */
  readonly cpuSeconds?: number;
  /** Default: 10. */
  readonly nice?: number;
  /** Sends media to another service: the network stays, all other limits apply. */
  readonly network?: true;
}

/** A program that starts the confined one. */
export interface Wrapper {
  readonly path: string;
  /** Called after the program has ended. May be called twice. */
  close(): void;
}

/** Hides APP_SECRET and DATABASE_URL from the program. */
const clean = 'exec env -i PATH="$PATH" ${LANG:+LANG="$LANG"}';

/**
 * Ends with its parent process. The death signal is set late, so an earlier death is detected by comparing the parent's
 * pid. Every step replaces the previous one, so that signals reach ffmpeg.
 */
function boundTo(parent: number, means: SandboxSupport, drop: boolean): string[] {
  const privileges = drop && means.dropCapabilities ? dropCapabilities : [];
  if (!means.parentDeath) return privileges.length > 0 ? ['setpriv', ...privileges] : [];
  const check = `[ "$PPID" = ${parent} ] && exec "$0" "$@"`;
  return ['setpriv', ...privileges, '--pdeathsig', 'KILL', 'sh', '-c', check];
}

/**
 * The script that fluent-ffmpeg runs as ffmpeg: the child ends with `parent`, even after SIGKILL, where the system
 * supports it.
 */
export const plainScript = (parent: number, means: SandboxSupport): string =>
  script([...boundTo(parent, means, false), 'ffmpeg']);

/**
 * The script with resource limits, without network, and with access to its own files only. setpriv comes last, because
 * entering a user namespace clears the death signal.
 */
export function sandboxScript(
  program: string,
  limits: SandboxLimits,
  files: ProgramFiles,
  parent: number,
  means: SandboxSupport,
): string {
  const { memory, fileSize, cpuSeconds, nice = 10, network = false } = limits;
  const cpu = cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}`];
  const prlimit = ['prlimit', `--data=${memory}`, '--nofile=256', '--core=0', `--fsize=${fileSize}`, ...cpu];
  return script([
    ...confine(means, { network, ...files }),
    ...(means.limits ? prlimit : []),
    ...['nice', '-n', String(nice), ...boundTo(parent, means, true), program],
  ]);
}

const script = (command: readonly string[]): string =>
  `#!/bin/sh\n${clean} ${command.map(quoteWord).join(' ')} "$@"\n`;

let plain: string | null = null;
let sandboxes = 0;

/** Path of a script that runs ffmpeg, made once per process. */
export function ffmpegWrapper(): string {
  return (plain ??= write('ffmpeg', plainScript(process.pid, sandboxSupport())));
}

/**
 * The confined program, for one run on these files.
 * @param program its name, or its path for our own
 */
export function openSandbox(program: string, limits: SandboxLimits, files: ProgramFiles): Wrapper {
  const name = `${basename(program)}-${(sandboxes += 1)}`;
  const run = [...(files.run ?? []), ...(isAbsolute(program) ? [program] : [])];
  const means = sandboxSupport();
  const path = write(name, sandboxScript(program, limits, { ...files, run }, process.pid, means));
  return { path, close: () => rmSync(path, { force: true }) };
}

/** Readable only by this user. */
function write(name: string, text: string): string {
  const path = join(scratchFolder(), name);
  writeFileSync(path, text, { mode: 0o700 });
  return path;
}
