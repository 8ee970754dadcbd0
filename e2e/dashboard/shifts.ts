import type { Page } from '@playwright/test';

/** Highest accepted cumulative layout shift while a page loads. */
export const maxShift = 0.05;
const tries = 3;

declare global {
  interface Window {
    layoutShift: number;
  }
}

/** Starts counting in each document of the page. */
export async function countShifts(page: Page): Promise<void> {
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
 * The layout shift while a page loads: the minimum of several loads, because the machine is busy.
 * @param accepted a load with at most this shift is the last one
 */
export async function smallestShift(
  page: Page,
  open: () => Promise<void>,
  accepted = maxShift,
): Promise<number> {
  let smallest = Infinity;
  for (let attempt = 0; attempt < tries && smallest > accepted; attempt += 1) {
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
