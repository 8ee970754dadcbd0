import { gzipSync } from 'node:zlib';
import type { Page, Response } from '@playwright/test';

/** Scripts that a page loads. */
export interface LoadedScripts {
  readonly count: number;
  /** Bytes, gzipped. */
  readonly size: number;
}

/**
 * Opens a page as a new document, and measures the scripts that it loads.
 * @param open opens the page and returns when it has loaded its scripts
 */
export async function measureScripts(page: Page, open: () => Promise<unknown>): Promise<LoadedScripts> {
  const scripts = new Map<string, Promise<Buffer>>();
  const keep = (response: Response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), response.body());
  };
  // Requests of the previous page must not count, and their bodies could no longer be read.
  await page.goto('about:blank');
  page.on('response', keep);
  await open();
  page.off('response', keep);
  // The browser discards response bodies at the next navigation, so they are read first.
  const bodies = await Promise.all(scripts.values());
  return { count: scripts.size, size: bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) };
}
