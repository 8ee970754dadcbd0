import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../scratch-folder';

/**
 * The program that fluent-ffmpeg takes for ffmpeg: the child dies with this process even when that is killed -9
 * (reliability §0 row 11). Where util-linux is missing (macOS), ffmpeg itself. `exec` keeps one process, so that
 * signals reach ffmpeg.
 */
const plainScript = `#!/bin/sh
command -v setpriv >/dev/null 2>&1 && exec setpriv --pdeathsig KILL ffmpeg "$@"
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
const sandboxScript = (program: string, { memory, fileSize }: SandboxLimits) => `#!/bin/sh
set -- nice -n 10 ${program} "$@"
command -v setpriv >/dev/null 2>&1 && set -- setpriv --pdeathsig KILL "$@"
command -v prlimit >/dev/null 2>&1 && set -- prlimit --as=${memory} --nofile=256 --fsize=${fileSize} "$@"
if unshare -n true 2>/dev/null; then set -- unshare -n "$@"
elif unshare -r -n true 2>/dev/null; then set -- unshare -r -n "$@"
fi
exec "$@"
`;

const written = new Map<string, string>();

/** Path of a program that is ffmpeg, made once per process. */
export function ffmpegWrapper(): string {
  return write('ffmpeg', plainScript);
}

/** Path of a program that is ffmpeg or ffprobe within limits; made once per process and limits. */
export function sandboxWrapper(program: 'ffmpeg' | 'ffprobe', limits: SandboxLimits): string {
  return write(`${program}-${limits.memory}-${limits.fileSize}`, sandboxScript(program, limits));
}

/** Readable by nobody else. */
function write(name: string, script: string): string {
  const path = written.get(name) ?? join(scratchFolder(), name);
  if (!written.has(name)) writeFileSync(path, script, { mode: 0o700 });
  written.set(name, path);
  return path;
}
