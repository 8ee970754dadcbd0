import type { Page } from '@playwright/test';

/**
 * Highest accepted cumulative layout shift while a page loads. It is half of the value that counts as good
 * (https://web.dev/articles/cls).
 */
export const MAX_LAYOUT_SHIFT = 0.05;
const MAX_LOADS = 3;

declare global {
  interface Window {
    /** Cumulative layout shift of the document so far. */
    layoutShift: number;
  }
}

/** Starts to measure the layout shift of each document that the page opens. */
export async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) window.layoutShift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/**
 * Measures the layout shift while a page loads. The result is the minimum of up to three loads, because a busy machine can add
 * shifts to a load.
 * @param acceptedShift shift up to which no further load is measured
 */
export async function measureLayoutShift(
  page: Page,
  open: () => Promise<void>,
  acceptedShift = MAX_LAYOUT_SHIFT,
): Promise<number> {
  let smallest = Infinity;
  for (let attempt = 0; attempt < MAX_LOADS && smallest > acceptedShift; attempt += 1) {
    await open();
    await page.evaluate(async () => {
      await document.fonts.ready;
      // Shifts are reported one frame after they happen.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
    smallest = Math.min(smallest, await page.evaluate(() => window.layoutShift));
  }
  return smallest;
}
