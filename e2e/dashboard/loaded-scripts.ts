import { gzipSync } from 'node:zlib';
import type { Page, Response } from '@playwright/test';

/** Scripts that a page loads. */
export interface LoadedScripts {
  readonly count: number;
  /** Size of all scripts. */
  readonly gzippedBytes: number;
}

/**
 * Opens a page as a new document, and measures the scripts that the page loads.
 * @param open opens the page and returns when the page has loaded its scripts
 */
export async function measureScripts(page: Page, open: () => Promise<unknown>): Promise<LoadedScripts> {
  const scripts = new Map<string, Promise<Buffer>>();
  const recordScript = (response: Response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), response.body());
  };
  // The empty page ends requests of the previous page, which must not count.
  await page.goto('about:blank');
  page.on('response', recordScript);
  await open();
  page.off('response', recordScript);
  // The browser discards response bodies at the next navigation, so they are read first.
  const bodies = await Promise.all(scripts.values());
  return { count: scripts.size, gzippedBytes: bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) };
}
