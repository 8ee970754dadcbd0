import type { Page } from '@playwright/test';

declare global {
  interface Window {
    longTasks: number[];
  }
}

/** A task of the browser's main thread is long from 50 ms on. */
export interface LongTasks {
  readonly count: number;
  /** Milliseconds; 0 = none was long. */
  readonly longest: number;
}

/** Writes down long tasks on every page that is opened from now on. */
export const watchLongTasks = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
  });

/** Those since the last look, once the browser has nothing left to do. */
export async function takeLongTasks(page: Page): Promise<LongTasks> {
  const tasks = await page.evaluate(async () => {
    await new Promise<void>((resolve) => requestIdleCallback(() => setTimeout(resolve, 100)));
    return window.longTasks.splice(0);
  });
  return { count: tasks.length, longest: Math.max(0, ...tasks) };
}
