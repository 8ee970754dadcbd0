import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../scratch-folder';

/**
 * Ends with the process that wants it. The signal for that is asked for late, so who died before is noticed by hand: a
 * shell behind it knows its parent.
 */
const boundTo = (parent: number) =>
  `setpriv --pdeathsig KILL sh -c '[ "$PPID" = ${parent} ] && exec "$0" "$@"'`;

/**
 * The program that fluent-ffmpeg takes for ffmpeg: the child dies with `parent` even when that is killed -9
 * (reliability §0 row 11). Where util-linux is missing (macOS), ffmpeg itself. `exec` keeps one process, so that
 * signals reach ffmpeg.
 */
export const plainScript = (parent: number): string => `#!/bin/sh
command -v setpriv >/dev/null 2>&1 && exec ${boundTo(parent)} ffmpeg "$@"
exec ffmpeg "$@"
`;

/** What a program may use that reads a file which somebody else made. */
export interface SandboxLimits {
  /** Bytes of address space. */
  readonly memory: number;
  /** Bytes of each file it writes. */
  readonly fileSize: number;
}

/**
 * The same without network and with limits (reliability §3), as far as this system has the means: the arguments of the
 * caller are what keeps a file from naming other files. setpriv comes last, because entering a user namespace
 * forgets what it asked for.
 */
export const sandboxScript = (
  program: string,
  { memory, fileSize }: SandboxLimits,
  parent: number,
): string => `#!/bin/sh
set -- nice -n 10 ${program} "$@"
command -v setpriv >/dev/null 2>&1 && set -- ${boundTo(parent)} "$@"
command -v prlimit >/dev/null 2>&1 && set -- prlimit --as=${memory} --nofile=256 --fsize=${fileSize} "$@"
if unshare -n true 2>/dev/null; then set -- unshare -n "$@"
elif unshare -r -n true 2>/dev/null; then set -- unshare -r -n "$@"
fi
exec "$@"
`;

const written = new Map<string, string>();

/** Path of a program that is ffmpeg, made once per process. */
export function ffmpegWrapper(): string {
  return write('ffmpeg', plainScript(process.pid));
}

/** Path of a program that is ffmpeg or ffprobe within limits; made once per process and limits. */
export function sandboxWrapper(program: 'ffmpeg' | 'ffprobe', limits: SandboxLimits): string {
  const name = `${program}-${limits.memory}-${limits.fileSize}`;
  return write(name, sandboxScript(program, limits, process.pid));
}

/** Readable by nobody else. */
function write(name: string, script: string): string {
  const path = written.get(name) ?? join(scratchFolder(), name);
  if (!written.has(name)) writeFileSync(path, script, { mode: 0o700 });
  written.set(name, path);
  return path;
}
