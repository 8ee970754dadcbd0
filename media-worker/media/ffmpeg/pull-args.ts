import type { FfmpegPlan } from './plan';

/** URL and options of an input of ffmpeg; both may contain secrets. */
export interface PullInput {
  readonly url: string;
  readonly options: Readonly<Record<string, string>>;
  /** Protocols that ffmpeg may use to open the input. */
  readonly protocols: readonly string[];
  /** Formats that the input may have. */
  readonly formats: readonly string[];
  /** Whether the input is read in real time, because its server sends faster. */
  readonly isPaced: boolean;
}

/**
 * A script in ffmpeg's concat format with one entry. It keeps URL and options off the command line, which every user
 * of the machine can read.
 */
export function pullScript({ url, options }: Pick<PullInput, 'url' | 'options'>): string {
  const optionLines = Object.entries(options)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `option ${name} ${quoteValue(value)}\n`);
  return ['ffconcat version 1.0\n', `file ${quoteValue(url)}\n`, ...optionLines].join('');
}

const quoteValue = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

interface PullPlanOptions {
  readonly input: PullInput;
  /** File with the text of `pullScript`. */
  readonly script: string;
  /** Unix socket that receives the media. */
  readonly socketPath: string;
  /** Whether audio is encoded as AAC. */
  readonly encodesAudio: boolean;
}

/** Writes the first video and audio track of a source as MPEG-TS; video is copied. */
export const pullPlan = ({ input, script, socketPath, encodesAudio }: PullPlanOptions): FfmpegPlan => ({
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
        ...(encodesAudio ? ['-c:a', 'aac', '-b:a', '160k', '-ac', '2', '-ar', '48000'] : ['-c:a', 'copy']),
        ...['-muxdelay', '0', '-muxpreload', '0', '-flush_packets', '1', '-f', 'mpegts'],
      ],
      url: `unix:${socketPath}`,
    },
  ],
});
