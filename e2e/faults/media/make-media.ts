import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { drawCode, codeVideo, ROW_HEIGHT } from './frame-code';

export interface Media {
  /** Paths of videos with numbered frames and audio, one for each publisher, with a keyframe every 2 s. */
  readonly sources: readonly string[];
  readonly sourceSeconds: number;
  /** Creates a playable MP4 with different bytes at every call: a short video and `kilobytes` of random padding. */
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

/** Encodes a test pattern with the frame code on top. */
async function makeSource(file: string, source: number, seconds: number): Promise<void> {
  const { width, height, framesPerSecond } = codeVideo;
  const testPattern = `testsrc2=size=${width}x${height - ROW_HEIGHT}:rate=${framesPerSecond}`;
  const codeInput = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${width}x${ROW_HEIGHT}`];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'];
  const keyframes = ['-g', '50', '-keyint_min', '50', '-sc_threshold', '0'];
  const child = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', '-y', ...codeInput, '-r', String(framesPerSecond), '-i', 'pipe:0'],
      ...['-f', 'lavfi', '-i', testPattern],
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
  await pipeline(Readable.from(drawRows(source, seconds * framesPerSecond)), child.stdin).catch(
    () => undefined,
  );
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg could not make ${file}: ${output}`);
}

function* drawRows(source: number, frames: number): Generator<Buffer> {
  for (let frame = 0; frame < frames; frame += 1) yield drawCode({ frame, source });
}

/** Creates an MP4 box that players skip (ISO/IEC 14496-12 §8.1.2). */
function freeBox(body: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(header.length + body.length, 0);
  header.write('free', 4, 'latin1');
  return Buffer.concat([header, body]);
}
