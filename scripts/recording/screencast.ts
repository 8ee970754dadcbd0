import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { runToEnd } from '../service/run-to-end';

/** Maximum time for which an unchanged page is shown, in milliseconds, to shorten loading times in the recording. */
const MAX_FRAME_MS = 1_200;

/** A JPEG image of the page. */
export interface Frame {
  readonly path: string;
  /** When the browser showed it, in milliseconds since the epoch. */
  readonly shownAtMs: number;
}

/**
 * Starts to save a frame whenever the page changes.
 * @param folder folder for the images of the frames
 * @param filePrefix start of their file names
 * @returns a function that stops the recording and returns the frames in order
 */
export async function startScreencast(
  page: Page,
  folder: string,
  filePrefix: string,
): Promise<() => Promise<Frame[]>> {
  const devtoolsSession = await page.context().newCDPSession(page);
  const frameWrites: Promise<Frame>[] = [];
  devtoolsSession.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const path = join(folder, `${filePrefix}-${String(frameWrites.length).padStart(5, '0')}.jpg`);
    const shownAtMs = (metadata.timestamp ?? 0) * 1_000;
    frameWrites.push(writeFile(path, Buffer.from(data, 'base64')).then(() => ({ path, shownAtMs })));
    // Chromium sends further frames only after this. It fails if the page closes, and then no more frames are needed.
    void devtoolsSession.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await devtoolsSession.send('Page.startScreencast', { format: 'jpeg', quality: 92, everyNthFrame: 2 });
  return async () => {
    await devtoolsSession.send('Page.stopScreencast');
    return Promise.all(frameWrites);
  };
}

/**
 * Writes a list of the frames with their durations, which ffmpeg's concat demuxer reads.
 * @param folder folder for the list
 * @param speed playback speed relative to real time
 * @returns the path of the list
 */
export async function writeFrameList(
  folder: string,
  frames: readonly Frame[],
  speed: number,
): Promise<string> {
  const listPath = join(folder, 'frames.txt');
  const lines = frames.flatMap(({ path, shownAtMs }, index) => {
    const durationMs = (frames[index + 1]?.shownAtMs ?? shownAtMs + MAX_FRAME_MS) - shownAtMs;
    const seconds = Math.min(Math.max(durationMs, 0), MAX_FRAME_MS) / 1_000 / speed;
    // Not String(seconds), which may contain an exponent, such as 5e-7. ffmpeg does not accept exponents.
    return [`file '${path}'`, `duration ${seconds.toFixed(4)}`];
  });
  await writeFile(listPath, lines.join('\n'));
  return listPath;
}

interface FrameEncoding {
  /** Path of a list written by `writeFrameList`. */
  readonly listPath: string;
  /** ffmpeg options of the output. */
  readonly outputOptions: readonly string[];
  readonly outputPath: string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Encodes the frames of a list with ffmpeg, and logs the size of the output. */
export async function encodeFrames({
  listPath,
  outputOptions,
  outputPath,
  log,
  signal,
}: FrameEncoding): Promise<void> {
  // `-safe 0` admits the absolute paths of the list.
  const inputOptions = ['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', listPath];
  const args = [...inputOptions, ...outputOptions, outputPath];
  await runToEnd({ command: 'ffmpeg', args }, log, signal);
  log(`${outputPath} (${await fileKilobytes(outputPath)} kB)`);
}

/** Size of a file in kilobytes of 1000 bytes, rounded. */
export const fileKilobytes = async (path: string) => Math.round((await stat(path)).size / 1_000);
