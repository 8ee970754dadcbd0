import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { runToEnd } from '../service/run-to-end';

/** Maximum time for which an unchanged page is shown, in milliseconds, to shorten loading times in the recording. */
const maxStillMs = 1_200;

export interface Frame {
  readonly file: string;
  readonly atMs: number;
}

/**
 * Records a frame whenever the page changes.
 * @returns a function that stops and returns the frames
 */
export async function startScreencast(
  page: Page,
  folder: string,
  name: string,
): Promise<() => Promise<Frame[]>> {
  const session = await page.context().newCDPSession(page);
  const writing: Promise<Frame>[] = [];
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const file = join(folder, `${name}-${String(writing.length).padStart(5, '0')}.jpg`);
    const atMs = (metadata.timestamp ?? 0) * 1_000;
    writing.push(writeFile(file, Buffer.from(data, 'base64')).then(() => ({ file, atMs })));
    void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 92, everyNthFrame: 2 });
  return async () => {
    await session.send('Page.stopScreencast');
    return Promise.all(writing);
  };
}

/**
 * Writes a list of the frames for ffmpeg.
 * @param faster speed relative to real time
 */
export async function listFrames(folder: string, frames: readonly Frame[], faster: number): Promise<string> {
  const list = join(folder, 'frames.txt');
  const lines = frames.flatMap(({ file, atMs }, index) => {
    const shownMs = (frames[index + 1]?.atMs ?? atMs + maxStillMs) - atMs;
    const seconds = Math.min(Math.max(shownMs, 0), maxStillMs) / 1_000 / faster;
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
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Encodes the frames and reports the size of the file. */
export async function encodeFrames({ list, output, path, say, signal }: Encoding): Promise<void> {
  const input = ['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', list];
  await runToEnd({ command: 'ffmpeg', args: [...input, ...output, path] }, say, signal);
  say(`${path} (${await kilobytes(path)} kB)`);
}

export const kilobytes = async (path: string) => Math.round((await stat(path)).size / 1_000);
