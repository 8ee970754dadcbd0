import type { Page } from '@playwright/test';

declare global {
  interface Window {
    longTasks: number[];
  }
}

/** Tasks of 50 ms or more on the main thread of the browser (https://www.w3.org/TR/longtasks/). */
export interface LongTasks {
  readonly count: number;
  /** Duration of the longest task in milliseconds, or 0 without tasks. */
  readonly longestMs: number;
}

/** Records long tasks on every page opened from now on. */
export const watchLongTasks = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
  });

/**
 * Waits until the browser is idle, and resets the recorded tasks.
 * @returns the long tasks since the last call
 */
export async function takeLongTasks(page: Page): Promise<LongTasks> {
  const tasks = await page.evaluate(async () => {
    await new Promise<void>((resolve) => requestIdleCallback(() => setTimeout(resolve, 100)));
    return window.longTasks.splice(0);
  });
  return { count: tasks.length, longestMs: Math.max(0, ...tasks) };
}
