import { execFileSync } from 'node:child_process';
import type { Locator, Page } from '@playwright/test';

/** Encodes the output of an ffmpeg source filter with a tone. */
export function encode(path: string, source: string, more: string[] = []): void {
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
      ...more,
      '-c:a',
      'aac',
      path,
    ],
  ]);
}

export const dock = (page: Page): Locator => page.getByRole('region', { name: 'Uploads' });
