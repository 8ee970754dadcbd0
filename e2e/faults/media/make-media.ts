import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { drawCode, codeVideo, rowHeight } from './frame-code';

export interface Media {
  /** One numbered video with audio per publisher, with a keyframe every 2 s. */
  readonly sources: readonly string[];
  readonly sourceSeconds: number;
  /** Creates a playable MP4 that differs at every call, by appending `kilobytes` of padding to a clip. */
  readonly uniqueFile: (kilobytes: number) => Buffer;
}

export async function makeMedia(directory: string, count: number, sourceSeconds: number): Promise<Media> {
  const sources: string[] = [];
  for (let source = 0; source < count; source += 1) {
    const file = join(directory, `source-${source}.mp4`);
    await makeSource(file, source, sourceSeconds);
    sources.push(file);
  }
  const clipFile = join(directory, 'clip.mp4');
  const cutArgs = ['-ss', '10', '-t', '12', '-i', sources[0] ?? '', '-c', 'copy', '-movflags', '+faststart'];
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...cutArgs, clipFile], { timeout: 60_000 });
  const clip = await readFile(clipFile);
  return {
    sources,
    sourceSeconds,
    uniqueFile: (kilobytes) => Buffer.concat([clip, freeBox(randomBytes(Math.round(kilobytes * 1024)))]),
  };
}

/** Encodes a test pattern with the row of blocks on top. */
async function makeSource(file: string, source: number, seconds: number): Promise<void> {
  const { width, height, framesPerSecond } = codeVideo;
  const rest = `testsrc2=size=${width}x${height - rowHeight}:rate=${framesPerSecond}`;
  const row = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${width}x${rowHeight}`];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'];
  const keyframes = ['-g', '50', '-keyint_min', '50', '-sc_threshold', '0'];
  const child = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', '-y', ...row, '-r', String(framesPerSecond), '-i', 'pipe:0'],
      ...['-f', 'lavfi', '-i', rest],
      ...['-f', 'lavfi', '-i', `sine=frequency=${220 + 40 * source}:sample_rate=44100`],
      ...['-filter_complex', '[0:v]format=yuv420p[row];[row][1:v]vstack[picture]'],
      ...['-map', '[picture]', '-map', '2:a', '-t', String(seconds)],
      ...[...video, ...keyframes, '-b:v', '400k', '-maxrate', '600k', '-bufsize', '600k'],
      ...['-c:a', 'aac', '-b:a', '64k', '-movflags', '+faststart', file],
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.on('data', (text: Buffer) => (output = (output + text.toString()).slice(-2_000)));
  const ended = once(child, 'close') as Promise<[number | null]>;
  await pipeline(Readable.from(rows(source, seconds * framesPerSecond)), child.stdin).catch(() => undefined);
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg could not make ${file}: ${output}`);
}

function* rows(source: number, frames: number): Generator<Buffer> {
  for (let frame = 0; frame < frames; frame += 1) yield drawCode({ frame, source });
}

/** Padding in an MP4, which players skip (ISO/IEC 14496-12 §8.1.2). */
function freeBox(body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(head.length + body.length, 0);
  head.write('free', 4, 'latin1');
  return Buffer.concat([head, body]);
}
