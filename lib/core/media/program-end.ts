/** How a program that reads a user's file failed. */
export interface ProgramEnd {
  /** Exit code; null if a signal ended the program, or it could not be started. */
  readonly code: number | null;
  /** Messages on stderr, one per line. */
  readonly stderr: string;
}

/** Exit codes of timeout, nice, env and shells for a program that could not run. */
const wrapperCodes = [124, 125, 126, 127];
/** Whether an exit code stands for a signal: shells and sandboxes report 128 plus its number. */
const isSignalCode = (code: number): boolean => code > 128 && code <= 128 + 31;

/** Errors of the system, not of the file. "Operation not permitted" is not one: decoders print it for damaged frames. */
const systemErrors =
  /Cannot allocate memory|No space left on device|Disk quota exceeded|Input\/output error|Too many open files|Resource temporarily unavailable|No such file or directory|Permission denied|Read-only file system|File too large|Stale file handle|Text file busy|loading shared libraries/;

const wrapperLine =
  /^(?:timeout|nice|prlimit|unshare|setpriv|bwrap|sh|env|[^ ]*\/(?:sh|ffmpeg[^ ]*|ffprobe[^ ]*)): /m;

/**
 * Whether a failed program rejected its file. A program that exited by itself and complained about the file did; one that
 * was killed, ran out of memory or could not be started did not.
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
