/** The exit of a process, such as ffmpeg or ffprobe, that failed while it read a media file of a user. */
export interface ProcessExit {
  /** Exit code; null if a signal ended the process, or if it could not be started. */
  readonly code: number | null;
  /** Messages on stderr, one per line. */
  readonly stderr: string;
}

/** Exit codes with which timeout, nice, env and shells report that a program ran too long (124) or could not be run. */
const wrapperCodes = [124, 125, 126, 127];
/** Whether an exit code reports a signal: shells and sandboxes exit with 128 plus the number of the signal. */
const isSignalCode = (code: number): boolean => code > 128 && code <= 128 + 31;

/**
 * Messages about errors of the system, not of the file. "Operation not permitted" is missing, because decoders print it for
 * damaged frames.
 */
const systemErrors =
  /Cannot allocate memory|No space left on device|Disk quota exceeded|Input\/output error|Too many open files|Resource temporarily unavailable|No such file or directory|Permission denied|Read-only file system|File too large|Stale file handle|Text file busy|loading shared libraries/;

/** A line with which a program that starts ffmpeg or ffprobe, or the dynamic linker, reports its own error. */
const wrapperLine =
  /^(?:timeout|nice|prlimit|unshare|setpriv|bwrap|sh|env|[^ ]*\/(?:sh|ffmpeg[^ ]*|ffprobe[^ ]*)): /m;

/**
 * Finds out whether a process failed because of the system or because of its file. A process that was killed, ran out of
 * memory or could not be started says nothing about the file.
 * @returns the fault of the system, for the log; null if the process rejected the file
 */
export function systemFaultOf({ code, stderr }: ProcessExit): string | null {
  if (code === null) return 'ended by a signal';
  if (wrapperCodes.includes(code) || isSignalCode(code)) return `ended with code ${code}`;
  const systemError = systemErrors.exec(stderr) ?? wrapperLine.exec(stderr);
  if (systemError) return lineAt(stderr, systemError.index);
  return stderr.trim() === '' ? `ended with code ${code} and no message` : null;
}

function lineAt(text: string, index: number): string {
  const end = text.indexOf('\n', index);
  return text.slice(text.lastIndexOf('\n', index) + 1, end === -1 ? undefined : end).trim();
}
