import { dirname } from 'node:path';

/** One side of an ffmpeg command: options as separate words, then the file or address they belong to. */
export interface FfmpegEnd {
  readonly options: readonly string[];
  readonly url: string;
}

/** An ffmpeg command as data: made by pure functions, executed by `runFfmpeg`. */
export interface FfmpegPlan {
  readonly inputs: readonly FfmpegEnd[];
  readonly outputs: readonly FfmpegEnd[];
}

/** Paths that a sandboxed program may use besides its own. Absolute. */
export interface ProgramFiles {
  /** Files and folders to read. */
  readonly read: readonly string[];
  /** Folders and sockets to write. */
  readonly write: readonly string[];
  /** Our programs and libraries to execute. */
  readonly run?: readonly string[];
}

/** The paths in a plan: files to read, and folders and sockets for output. */
export function filesOfPlan({ inputs, outputs }: FfmpegPlan): ProgramFiles {
  const write = new Set(outputs.flatMap(outputFiles));
  const readPaths = new Set([...inputs.flatMap(inputFiles), ...[...inputs, ...outputs].flatMap(optionFiles)]);
  return { read: [...readPaths].filter((path) => !write.has(path)), write: [...write] };
}

function inputFiles({ url, options }: FfmpegEnd): string[] {
  const path = pathOf(url);
  if (path === null) return [];
  // A concat list names files beside it.
  return [options[options.lastIndexOf('-f') + 1] === 'concat' ? dirname(path) : path];
}

function outputFiles({ url }: FfmpegEnd): string[] {
  if (url.startsWith('unix:')) return [url.slice('unix:'.length)];
  const path = pathOf(url);
  return path === null ? [] : [dirname(path)];
}

/** Options that name files. */
function optionFiles({ options }: FfmpegEnd): string[] {
  return options.flatMap((option, index) => {
    const value = options[index + 1];
    return option === '-fpre' && value !== undefined ? [value] : [];
  });
}

function pathOf(url: string): string | null {
  const path = url.replace(/^file:/, '');
  return path.startsWith('/') ? path : null;
}
