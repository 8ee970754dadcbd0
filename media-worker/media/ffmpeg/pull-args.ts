import type { FfmpegPlan } from './plan';

/** What ffmpeg opens, and with which options; secrets among both. */
export interface PullInput {
  readonly url: string;
  readonly options: Readonly<Record<string, string>>;
  /** Protocols that it may use for that, and nothing else. */
  readonly protocols: readonly string[];
  /** Formats that it may find there. */
  readonly formats: readonly string[];
  /** A source that gives media faster than it plays is read at its own pace. */
  readonly isPaced: boolean;
}

/**
 * A script of ffmpeg's concat format with one entry: options and address of an input are on no command line that way, which
 * every user of the machine can read.
 */
export function pullScript({ url, options }: Pick<PullInput, 'url' | 'options'>): string {
  const lines = Object.entries(options)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `option ${name} ${quoted(value)}\n`);
  return ['ffconcat version 1.0\n', `file ${quoted(url)}\n`, ...lines].join('');
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

interface PullPlanOptions {
  readonly input: PullInput;
  /** File with the text of `pullScript`. */
  readonly script: string;
  /** Unix socket that takes the media. */
  readonly socketPath: string;
  /** Sound that is no AAC is made into it. */
  readonly encodesSound: boolean;
}

/** The first picture and sound of a source as MPEG-TS, as they are. */
export const pullPlan = ({ input, script, socketPath, encodesSound }: PullPlanOptions): FfmpegPlan => ({
  inputs: [
    {
      options: [
        ...(input.isPaced ? ['-re'] : []),
        ...['-protocol_whitelist', ['file', ...input.protocols].join(',')],
        ...['-format_whitelist', ['concat', ...input.formats].join(',')],
        ...['-f', 'concat', '-safe', '0'],
      ],
      url: `file:${script}`,
    },
  ],
  outputs: [
    {
      options: [
        ...['-map', '0:v:0?', '-map', '0:a:0?', '-c:v', 'copy'],
        ...(encodesSound ? ['-c:a', 'aac', '-b:a', '160k', '-ac', '2', '-ar', '48000'] : ['-c:a', 'copy']),
        ...['-muxdelay', '0', '-muxpreload', '0', '-flush_packets', '1', '-f', 'mpegts'],
      ],
      url: `unix:${socketPath}`,
    },
  ],
});
