import type { Locator, Page } from '@playwright/test';
import { runFfmpeg } from '../media/testing/run-ffmpeg';

/** Encodes a video with the picture of an ffmpeg source filter and a tone. */
export async function encodeVideo(path: string, source: string, videoArgs: string[] = []): Promise<void> {
  await runFfmpeg(
    ...['-f', 'lavfi', '-i', source],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000', '-shortest'],
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      '-g',
      '50',
      ...videoArgs,
      '-c:a',
      'aac',
      path,
    ],
  );
}

export const uploadsRegion = (page: Page): Locator => page.getByRole('region', { name: 'Uploads' });
