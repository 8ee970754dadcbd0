import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

export interface SampleOptions {
  readonly seconds?: number;
  readonly size?: string;
  readonly fps?: string;
  /** Options of the output, after the codecs. */
  readonly output?: readonly string[];
  /** Audio options that replace AAC, mono; null for no audio. */
  readonly audio?: readonly string[] | null;
  /** Video options that replace H.264. */
  readonly video?: readonly string[];
}

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20'];
const aac = ['-c:a', 'aac', '-b:a', '64k'];

const encodedFolder = join(tmpdir(), 'headwater-films');

/** Encodes a video with these arguments, or returns the path of the one that an earlier test of the same run encoded. */
function encodeOnce(args: readonly string[], extension: string): string {
  const hash = createHash('sha256').update(JSON.stringify(args)).digest('hex').slice(0, 24);
  const encodedPath = join(encodedFolder, `${hash}${extension}`);
  if (existsSync(encodedPath)) return encodedPath;
  mkdirSync(encodedFolder, { recursive: true });
  // Another process may encode it at the same time: each file has a unique name until it is complete.
  const temporaryPath = join(encodedFolder, `${hash}.${randomUUID()}${extension}`);
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args, temporaryPath]);
  renameSync(temporaryPath, encodedPath);
  return encodedPath;
}

/** Creates small media files with ffmpeg in a temporary folder. Call `remove` at the end. */
export function createSampleFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'samples-'));
  const path = (name: string) => join(folder, name);
  const ffmpeg = (...args: readonly string[]) =>
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args]);
  return {
    folder,
    path,
    ffmpeg,
    /** @returns the path of the file */
    make(name: string, options: SampleOptions = {}): string {
      const { seconds = 2, size = '160x90', fps = '10', output = [], audio = aac, video = h264 } = options;
      const args = [
        ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${fps}:duration=${seconds}`],
        ...(audio ? ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`] : []),
        ...video,
        ...(audio ?? []),
        ...output,
      ];
      copyFileSync(encodeOnce(args, extname(name)), path(name));
      return path(name);
    },
    /**
     * Creates a named pipe, on which a reader blocks until it is written to.
     * @returns its path
     */
    pipe(name: string): string {
      execFileSync('mkfifo', [path(name)]);
      return path(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
