import { dirname } from 'node:path';

/** One input or output of an ffmpeg command: options as separate words, and the file or URL that they belong to. */
export interface FfmpegEndpoint {
  readonly options: readonly string[];
  readonly url: string;
}

/** An ffmpeg command as data: pure functions build it, `runFfmpeg` executes it. */
export interface FfmpegPlan {
  readonly inputs: readonly FfmpegEndpoint[];
  readonly outputs: readonly FfmpegEndpoint[];
}

/** Absolute paths that a sandboxed program may use in addition to its own. */
export interface ProgramFiles {
  /** Files and folders to read. */
  readonly read: readonly string[];
  /** Folders and sockets to write. */
  readonly write: readonly string[];
  /** Programs and libraries of the service that may be executed. */
  readonly executable?: readonly string[];
}

/** The paths of a plan: files to read, and folders and sockets to write. */
export function filesOfPlan({ inputs, outputs }: FfmpegPlan): ProgramFiles {
  const write = new Set(outputs.flatMap(outputPaths));
  const readPaths = new Set([
    ...inputs.flatMap(inputPaths),
    ...[...inputs, ...outputs].flatMap(optionFilePaths),
  ]);
  return { read: [...readPaths].filter((path) => !write.has(path)), write: [...write] };
}

function inputPaths({ url, options }: FfmpegEndpoint): string[] {
  const path = pathOf(url);
  if (path === null) return [];
  // A concat list names files in its folder.
  return [options[options.lastIndexOf('-f') + 1] === 'concat' ? dirname(path) : path];
}

function outputPaths({ url }: FfmpegEndpoint): string[] {
  if (url.startsWith('unix:')) return [url.slice('unix:'.length)];
  const path = pathOf(url);
  return path === null ? [] : [dirname(path)];
}

/** Paths of the option files (`-fpre`). */
function optionFilePaths({ options }: FfmpegEndpoint): string[] {
  return options.flatMap((option, index) => {
    const value = options[index + 1];
    return option === '-fpre' && value !== undefined ? [value] : [];
  });
}

/** The path of a file URL or absolute path; null for pipes, filter sources and other URLs. */
function pathOf(url: string): string | null {
  const path = url.replace(/^file:/, '');
  return path.startsWith('/') ? path : null;
}
