import { execFileSync } from 'node:child_process';
import type { Locator, Page } from '@playwright/test';

/** Encodes a video with the picture of an ffmpeg source filter and a tone. */
export function encodeVideo(path: string, source: string, videoArgs: string[] = []): void {
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', source],
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
  ]);
}

export const uploadsRegion = (page: Page): Locator => page.getByRole('region', { name: 'Uploads' });
