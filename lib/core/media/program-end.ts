/** How a program that read a user's file ended, if it did not succeed. */
export interface ProgramEnd {
  /** Null when a signal ended it, or when it could not be started. */
  readonly code: number | null;
  /** Its stderr, one message per line. */
  readonly stderr: string;
}

/** Exit codes of timeout, nice, env and shells that could not run a program. */
const wrapperCodes = [124, 125, 126, 127];
/** Shells and sandboxes report a signal as 128 and its number. */
const isSignalCode = (code: number): boolean => code > 128 && code <= 128 + 31;

/**
 * Refused by the system, not caused by the bytes. Not "Operation not permitted": decoders say that of damaged frames.
 */
const systemErrors =
  /Cannot allocate memory|No space left on device|Disk quota exceeded|Input\/output error|Too many open files|Resource temporarily unavailable|No such file or directory|Permission denied|Read-only file system|File too large|Stale file handle|Text file busy|loading shared libraries/;

const wrapperLine =
  /^(?:timeout|nice|prlimit|unshare|setpriv|bwrap|sh|env|[^ ]*\/(?:sh|ffmpeg[^ ]*|ffprobe[^ ]*)): /m;

/**
 * Whether a failed program rejected the file it read. Only a program that ran to its end and complained about the bytes
 * did; one that was killed, ran out of memory or could not be started did not.
 * @returns null if the file was rejected; otherwise the fault, for the log
 */
export function faultOf({ code, stderr }: ProgramEnd): string | null {
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
