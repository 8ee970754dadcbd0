import type { Page } from '@playwright/test';

/** What may move while a page arrives, as cumulative layout shift. */
export const maxShift = 0.05;
const tries = 3;

declare global {
  interface Window {
    layoutShift: number;
  }
}

/** Counts in each document of the page from now on. */
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

/** How much a page moves while it arrives: the least of some loads, because the machine has other work. */
export async function leastShift(page: Page, open: () => Promise<void>): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < tries && least >= maxShift; attempt += 1) {
    await open();
    await page.evaluate(async () => {
      await document.fonts.ready;
      // Shifts are reported with the frame after the one they happen in.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
    least = Math.min(least, await page.evaluate(() => window.layoutShift));
  }
  return least;
}
