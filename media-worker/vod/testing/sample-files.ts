import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SampleOptions {
  readonly seconds?: number;
  readonly size?: string;
  readonly fps?: string;
  /** Options of the output, after the codecs. */
  readonly output?: readonly string[];
  /** Instead of AAC, mono; null for none. */
  readonly audio?: readonly string[] | null;
  /** Instead of H.264. */
  readonly video?: readonly string[];
}

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20'];
const aac = ['-c:a', 'aac', '-b:a', '64k'];

/** Creates small media files with ffmpeg in a temporary folder. Call `remove` at the end. */
export function sampleFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'samples-'));
  const path = (name: string) => join(folder, name);
  const ffmpeg = (...words: readonly string[]) =>
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...words], { timeout: 60_000 });
  return {
    folder,
    path,
    ffmpeg,
    /** @returns its path */
    make(name: string, options: SampleOptions = {}): string {
      const { seconds = 2, size = '160x90', fps = '10', output = [], audio = aac, video = h264 } = options;
      ffmpeg(
        ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${fps}:duration=${seconds}`],
        ...(audio ? ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`] : []),
        ...video,
        ...(audio ?? []),
        ...output,
        path(name),
      );
      return path(name);
    },
    /** Creates a named pipe, on which a reader blocks until something is written. @returns its path */
    pipe(name: string): string {
      execFileSync('mkfifo', [path(name)]);
      return path(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
