import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions } from '@playwright/test';

/** Measurements of one page load with an empty cache. */
export interface PageLoad {
  /** Largest contentful paint, in milliseconds from the request. */
  readonly largestPaintMs: number;
  readonly layoutShift: number;
  /** Bytes of JavaScript, gzipped per file. */
  readonly scriptBytes: number;
}

declare global {
  interface Window {
    pageLoad: { largestPaintMs: number; layoutShift: number };
  }
}

/** Starts to measure a page. The function runs in the page before its own scripts. */
function observePage(): void {
  window.pageLoad = { largestPaintMs: 0, layoutShift: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.pageLoad.largestPaintMs = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
      window.pageLoad.layoutShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Time for which measuring continues after the data of the page is shown, because late data can shift the layout. */
const SETTLE_MS = 1_500;
const TIMEOUT_MS = 30_000;

/**
 * Loads `url` in a new browser context with an empty cache and waits for the data of the page.
 * @param selector selector of an element that the loaded page contains
 * @throws Error if the element does not appear within 30 s
 */
export async function loadPage(
  browser: Browser,
  contextOptions: BrowserContextOptions,
  url: string,
  selector: string,
): Promise<PageLoad> {
  const browserContext = await browser.newContext(contextOptions);
  try {
    const page = await browserContext.newPage();
    const scripts = new Map<string, Promise<Buffer>>();
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.set(response.url(), response.body());
    });
    await page.addInitScript(observePage);
    await page.goto(url);
    await page.locator(selector).first().waitFor({ timeout: TIMEOUT_MS });
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached', timeout: TIMEOUT_MS });
    await page.waitForTimeout(SETTLE_MS);
    const pageLoad = await page.evaluate(() => window.pageLoad);
    const bodies = await Promise.all(scripts.values());
    return { ...pageLoad, scriptBytes: bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) };
  } finally {
    await browserContext.close();
  }
}
