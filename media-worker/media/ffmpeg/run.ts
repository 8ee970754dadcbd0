import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import ffmpeg from 'fluent-ffmpeg';
import { MAX_PIXELS } from '@/lib/core/media/media-rules';
import { type FfmpegPlan, filesOfPlan } from './plan';
import { type SandboxLimits, ffmpegWrapper, openSandbox } from './wrapper';

const MAX_LINE_LENGTH = 300;

/** A line of ffmpeg output without these secrets and without the path and query of every RTMP(S) or SRT URL, cut to 300 characters. */
export function redactLine(line: string, secrets: readonly string[]): string {
  const withoutSecrets = secrets
    .filter((secret) => secret.length > 0)
    .reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line);
  return withoutSecrets
    .replace(/\b((?:rtmps?|srt):\/\/[^\s/'"]*)[^\s'"]*/gi, '$1/[redacted]')
    .slice(0, MAX_LINE_LENGTH);
}

export interface FfmpegProgress {
  /** Seconds of output written so far. */
  readonly seconds: number;
  /** Speed relative to real time; 1 is real time. */
  readonly speed: number;
}

interface FfmpegOptions {
  /** Niceness: 0 for live work, 10 for background work. */
  readonly nice?: number;
  /** Texts that messages must not contain, such as a stream key. */
  readonly secrets?: readonly string[];
  readonly onProgress?: (progress: FfmpegProgress) => void;
  /** Input `pipe:0`, read at ffmpeg's pace and destroyed when ffmpeg ends. */
  readonly stdin?: Readable;
  readonly signal?: AbortSignal;
  /** Limits for untrusted media, which also forbid network access and files outside the plan. */
  readonly sandbox?: SandboxLimits;
}

export type FfmpegResult =
  | { readonly ok: true }
  /**
   * `output`: ffmpeg's last messages, one per line, without secrets. `isKilled`: killed by the system, not by `stop` or
   * by the CPU limit of the sandbox.
   */
  | {
      readonly ok: false;
      readonly reason: string;
      readonly output?: readonly string[];
      readonly isKilled?: true;
    };

export interface FfmpegRun {
  /** Never rejects. ffmpeg exits with 0 after some failures, so callers must check the output. */
  readonly whenDone: Promise<FfmpegResult>;
  /** Process id of ffmpeg while it runs. */
  pid(): number | undefined;
  /** Asks ffmpeg to quit, sends SIGTERM after 2 s and SIGKILL after 4 s. Idempotent. */
  stop(): Promise<FfmpegResult>;
}

const TERM_AFTER_MS = 2_000;
const KILL_AFTER_MS = 4_000;
const MAX_LAST_LINES = 8;

/** Members of fluent-ffmpeg that its types lack. */
interface CommandInternals {
  ffmpegProc?: ChildProcess;
  _checkCapabilities(callback: (error?: Error) => void): void;
  _getFfmpegPath(callback: (error: Error | null, path: string) => void): void;
}

/**
 * Starts ffmpeg. All reading and writing of media with ffmpeg goes through this function.
 * @throws Error if the script that starts a sandbox cannot be written
 */
export function runFfmpeg(plan: FfmpegPlan, options: FfmpegOptions = {}): FfmpegRun {
  const sandbox = options.sandbox && openSandbox('ffmpeg', options.sandbox, filesOfPlan(plan));
  const program = sandbox?.path ?? ffmpegWrapper();
  const command = buildCommand(plan, options);
  const internals = command as unknown as CommandInternals;
  // `setFfmpegPath()` would change the path for every command of the process, including one that is about to
  // start.
  internals._getFfmpegPath = (callback) => callback(null, program);
  // The library's check starts ffmpeg twice more, and rejects lavfi on ffmpeg 7 because it misreads the format list.
  internals._checkCapabilities = (callback) => callback();

  const lastLines: string[] = [];
  const timers: NodeJS.Timeout[] = [];
  let isStopping = false;
  let progress: Partial<FfmpegProgress> = {};

  const quit = () => {
    const child = internals.ffmpegProc;
    if (!child) return;
    child.stdin?.on('error', () => undefined);
    options.stdin?.unpipe();
    // With media on stdin, the stream is ended, because "q" would be read as media.
    if (options.stdin) child.stdin?.end();
    else child.stdin?.end('q');
    timers.push(setTimeout(() => child.kill('SIGTERM'), TERM_AFTER_MS));
    timers.push(setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS));
  };

  const result = new Promise<FfmpegResult>((resolve) => {
    command
      .on('start', () => {
        if (isStopping) quit();
      })
      .on('stderr', (line: string) => {
        const progressLine = parseProgress(line);
        if (!progressLine) appendLine(lastLines, redactLine(line, options.secrets ?? []));
        else if (progressLine !== 'other') {
          progress = { ...progress, ...progressLine };
          const { seconds, speed } = progress;
          if (seconds !== undefined && speed !== undefined) options.onProgress?.({ seconds, speed });
        }
      })
      .on('error', (error: Error) => {
        resolve(failureOf(error, { stopping: isStopping, lastLines, secrets: options.secrets }));
      })
      .on('end', () => resolve({ ok: true }))
      .run();
  }).finally(() => {
    timers.forEach((timer) => clearTimeout(timer));
    sandbox?.close();
    options.stdin?.destroy();
    options.signal?.removeEventListener('abort', abort);
  });

  function abort(): void {
    void stop();
  }
  function stop(): Promise<FfmpegResult> {
    if (!isStopping) {
      isStopping = true;
      quit();
    }
    return result;
  }
  if (options.signal?.aborted) abort();
  options.signal?.addEventListener('abort', abort, { once: true });
  return { whenDone: result, stop, pid: () => internals.ffmpegProc?.pid };
}

const globalOptions = ['-hide_banner', '-nostats', '-loglevel', 'warning', '-progress', 'pipe:2'];

/** Arguments are passed individually, because fluent-ffmpeg splits arrays at spaces. */
function buildCommand(plan: FfmpegPlan, { nice = 0, stdin, sandbox }: FfmpegOptions): ffmpeg.FfmpegCommand {
  // A header can request more memory than any machine has; above this limit, the decoder treats it as damaged.
  const limitOptions = sandbox ? ['-max_pixels', String(MAX_PIXELS)] : [];
  const command = ffmpeg({ niceness: nice, stdoutLines: MAX_LAST_LINES });
  for (const [index, input] of plan.inputs.entries()) {
    const options = [...(index === 0 ? globalOptions : []), ...limitOptions, ...input.options];
    command.input(stdin && input.url === 'pipe:0' ? stdin : input.url);
    if (options.length > 0) command.inputOptions(...options);
  }
  for (const output of plan.outputs) command.output(output.url).outputOptions(...output.options);
  return command;
}

/**
 * Parses a line of `-progress`.
 * @returns a value; `other` for another line of the report; null for a message
 */
function parseProgress(line: string): Partial<FfmpegProgress> | 'other' | null {
  const match = /^([a-z_0-9]+)=\s*(\S+)$/.exec(line.trim());
  if (!match) return null;
  const value = Number.parseFloat(match[2] ?? '');
  if (match[1] === 'out_time_us' && Number.isFinite(value)) return { seconds: value / 1_000_000 };
  if (match[1] === 'speed' && Number.isFinite(value)) return { speed: value };
  return 'other';
}

function appendLine(lastLines: string[], line: string): void {
  if (line.trim() === '') return;
  lastLines.push(line);
  if (lastLines.length > MAX_LAST_LINES) lastLines.shift();
}

interface FailedRun {
  /** Whether the run was stopped by this service. */
  readonly stopping: boolean;
  /** ffmpeg's last messages. */
  readonly lastLines: readonly string[];
  readonly secrets: readonly string[] | undefined;
}

function failureOf(error: Error, { stopping, lastLines, secrets = [] }: FailedRun): FfmpegResult {
  const firstLine = error.message.split('\n')[0] ?? 'ffmpeg failed';
  const reason = [redactLine(firstLine, secrets), lastLines.at(-1)].filter(Boolean).join(' | ');
  const isKilled = !stopping && /was killed with signal (?!SIGXCPU)/.test(firstLine);
  return { ok: false, reason, output: [...lastLines], ...(isKilled && { isKilled }) };
}
