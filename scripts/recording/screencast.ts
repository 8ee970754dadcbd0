import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { runToEnd } from '../service/run-to-end';

/** Maximum time for which an unchanged page is shown, in milliseconds, to shorten loading times in the recording. */
const MAX_FRAME_MS = 1_200;

export interface Frame {
  readonly file: string;
  readonly atMs: number;
}

/**
 * Starts to record a frame whenever the page changes.
 * @returns a function that stops the recording and returns the frames
 */
export async function startScreencast(
  page: Page,
  folder: string,
  name: string,
): Promise<() => Promise<Frame[]>> {
  const session = await page.context().newCDPSession(page);
  const frameWrites: Promise<Frame>[] = [];
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const file = join(folder, `${name}-${String(frameWrites.length).padStart(5, '0')}.jpg`);
    const atMs = (metadata.timestamp ?? 0) * 1_000;
    frameWrites.push(writeFile(file, Buffer.from(data, 'base64')).then(() => ({ file, atMs })));
    void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 92, everyNthFrame: 2 });
  return async () => {
    await session.send('Page.stopScreencast');
    return Promise.all(frameWrites);
  };
}

/**
 * Writes a list of the frames for ffmpeg.
 * @param speed playback speed relative to real time
 * @returns the path of the list
 */
export async function listFrames(folder: string, frames: readonly Frame[], speed: number): Promise<string> {
  const list = join(folder, 'frames.txt');
  const lines = frames.flatMap(({ file, atMs }, index) => {
    const shownMs = (frames[index + 1]?.atMs ?? atMs + MAX_FRAME_MS) - atMs;
    const seconds = Math.min(Math.max(shownMs, 0), MAX_FRAME_MS) / 1_000 / speed;
    // ffmpeg does not accept exponents.
    return [`file '${file}'`, `duration ${seconds.toFixed(4)}`];
  });
  await writeFile(list, lines.join('\n'));
  return list;
}

interface Encoding {
  /** File written by `listFrames`. */
  readonly list: string;
  /** ffmpeg options of the output. */
  readonly output: readonly string[];
  readonly path: string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Encodes the frames and reports the size of the file. */
export async function encodeFrames({ list, output, path, log, signal }: Encoding): Promise<void> {
  const input = ['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', list];
  await runToEnd({ command: 'ffmpeg', args: [...input, ...output, path] }, log, signal);
  log(`${path} (${await kilobytes(path)} kB)`);
}

export const kilobytes = async (path: string) => Math.round((await stat(path)).size / 1_000);
