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

/** Runs in the page before its own scripts. */
function observe(): void {
  window.pageLoad = { largestPaintMs: 0, layoutShift: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.pageLoad.largestPaintMs = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
      window.pageLoad.layoutShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Late data can still shift the layout, so measuring continues for this time. */
const settleMs = 1_500;
const timeoutMs = 30_000;

/**
 * Loads `url` in a new browser context with an empty cache and waits for the page's data.
 * @param selector of an element that the loaded page contains
 * @throws Error if it does not appear within 30 s
 */
export async function loadPage(
  browser: Browser,
  context: BrowserContextOptions,
  url: string,
  selector: string,
): Promise<PageLoad> {
  const visitor = await browser.newContext(context);
  try {
    const page = await visitor.newPage();
    const scripts = new Map<string, Promise<Buffer>>();
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.set(response.url(), response.body());
    });
    await page.addInitScript(observe);
    await page.goto(url);
    await page.locator(selector).first().waitFor({ timeout: timeoutMs });
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached', timeout: timeoutMs });
    await page.waitForTimeout(settleMs);
    const paint = await page.evaluate(() => window.pageLoad);
    const bodies = await Promise.all(scripts.values());
    return { ...paint, scriptBytes: bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) };
  } finally {
    await visitor.close();
  }
}
