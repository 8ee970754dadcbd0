import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { codeVideo, readCode, sampledRows, type FrameCode } from './frame-code';

export interface DecodedFrames {
  /** Codes of the frames in order of display; null for a frame whose code cannot be read. */
  readonly frames: readonly (FrameCode | null)[];
  /** Warnings of ffmpeg while decoding. */
  readonly warnings: readonly string[];
}

/** Messages of ffmpeg that are no warnings about media, for example about requests of its HLS demuxer. */
const ignoredLines = /Opening '|keepalive|keep-alive|deprecated|Discarding|skip/i;
/** Timeout of ffmpeg for one file or playlist. */
const TIMEOUT_MS = 180_000;

/** Decodes the video of a file or playlist and reads the code of each frame. */
export async function readFrames(input: string): Promise<DecodedFrames> {
  const { width, height } = codeVideo;
  const filter = `scale=${width}:${height}:flags=neighbor,crop=${width}:${sampledRows.count}:0:${sampledRows.from}`;
  // The first frames of a standby encoder are 1 ms apart, so a time base of one frame would give them the same time.
  const times = ['-fps_mode', 'passthrough', '-enc_time_base', '1:90000'];
  const output = ['-pix_fmt', 'gray', '-f', 'rawvideo', ...times, 'pipe:1'];
  const args = ['-hide_banner', '-loglevel', 'warning', '-i', input, '-map', '0:v:0', '-vf', filter];
  const child = spawn('ffmpeg', [...args, ...output], { stdio: ['ignore', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  let messages = '';
  child.stderr.on('data', (text: Buffer) => {
    if (messages.length < 20_000) messages += text.toString();
  });
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const frames = await readFrameCodes(child.stdout);
  const [code, signal] = await ended;
  clearTimeout(timer);
  const warnings = messages.split('\n').filter((line) => line.trim() !== '' && !ignoredLines.test(line));
  if (code !== 0) warnings.push(`ffmpeg exited with ${signal ?? code}`);
  return { frames, warnings };
}

/** Reads the codes of raw gray frames, which contain only the sampled rows. */
async function readFrameCodes(output: AsyncIterable<Buffer>): Promise<(FrameCode | null)[]> {
  const size = codeVideo.width * sampledRows.count;
  const frames: (FrameCode | null)[] = [];
  let remaining: Buffer = Buffer.alloc(0);
  for await (const chunk of output) {
    remaining = remaining.length > 0 ? Buffer.concat([remaining, chunk]) : chunk;
    while (remaining.length >= size) {
      frames.push(readCode(remaining.subarray(0, size)));
      remaining = remaining.subarray(size);
    }
  }
  return frames;
}

/** Durations in seconds: of the file, and of its tracks; undefined for a track that is missing. */
export interface MediaLengths {
  readonly total: number;
  readonly video: number | undefined;
  readonly audio: number | undefined;
}

/** Reads the durations that the container declares. */
export async function measureLengths(file: string): Promise<MediaLengths> {
  const showArgs = ['-show_entries', 'format=duration:stream=codec_type,duration', '-of', 'json'];
  const { stdout } = await promisify(execFile)('ffprobe', ['-v', 'error', ...showArgs, file], {
    timeout: 60_000,
  });
  const { format, streams } = JSON.parse(stdout) as {
    format: { duration: string };
    streams: { codec_type: string; duration?: string }[];
  };
  const lengthOf = (type: string) => {
    const duration = streams.find((stream) => stream.codec_type === type)?.duration;
    return duration === undefined ? undefined : Number(duration);
  };
  return { total: Number(format.duration), video: lengthOf('video'), audio: lengthOf('audio') };
}
