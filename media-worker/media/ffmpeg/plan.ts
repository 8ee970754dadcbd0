import { dirname } from 'node:path';

/** One input or output of an ffmpeg command: options as separate words, and the file or URL that they belong to. */
export interface FfmpegEnd {
  readonly options: readonly string[];
  readonly url: string;
}

/** An ffmpeg command as data: pure functions build it, `runFfmpeg` executes it. */
export interface FfmpegPlan {
  readonly inputs: readonly FfmpegEnd[];
  readonly outputs: readonly FfmpegEnd[];
}

/** Absolute paths that a sandboxed program may use in addition to its own. */
export interface ProgramFiles {
  /** Files and folders to read. */
  readonly read: readonly string[];
  /** Folders and sockets to write. */
  readonly write: readonly string[];
  /** Programs and libraries of the service that may be executed. */
  readonly run?: readonly string[];
}

/** The paths of a plan: files to read, and folders and sockets to write. */
export function filesOfPlan({ inputs, outputs }: FfmpegPlan): ProgramFiles {
  const write = new Set(outputs.flatMap(outputFiles));
  const readPaths = new Set([...inputs.flatMap(inputFiles), ...[...inputs, ...outputs].flatMap(optionFiles)]);
  return { read: [...readPaths].filter((path) => !write.has(path)), write: [...write] };
}

function inputFiles({ url, options }: FfmpegEnd): string[] {
  const path = pathOf(url);
  if (path === null) return [];
  // A concat list names files in its folder.
  return [options[options.lastIndexOf('-f') + 1] === 'concat' ? dirname(path) : path];
}

function outputFiles({ url }: FfmpegEnd): string[] {
  if (url.startsWith('unix:')) return [url.slice('unix:'.length)];
  const path = pathOf(url);
  return path === null ? [] : [dirname(path)];
}

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
