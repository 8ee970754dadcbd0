import type { BrowserContext, Locator, Page } from '@playwright/test';
import { setTimeout as sleep } from 'node:timers/promises';

/** Shows a ring at each click in every page of the context, because a recording has no pointer. */
export async function showClicks(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    document.addEventListener(
      'pointerdown',
      ({ clientX, clientY }) => {
        const ring = document.createElement('div');
        ring.setAttribute('aria-hidden', 'true');
        ring.style.cssText =
          'position:fixed;z-index:2147483647;pointer-events:none;width:36px;height:36px;border-radius:50%;' +
          'border:4px solid #e0562b;background:#e0562b40;transform:translate(-50%,-50%)';
        ring.style.left = `${clientX}px`;
        ring.style.top = `${clientY}px`;
        document.body.append(ring);
        setTimeout(() => ring.remove(), 900);
      },
      true,
    );
  });
}

/** Clicks and types in a page at the pace of a person, and counts the clicks. */
export class PacedClicker {
  clickCount = 0;

  constructor(
    readonly page: Page,
    /** Pause before each click, in milliseconds, so that people who watch the recording can follow. */
    private readonly pauseMs = 900,
  ) {}

  async click(target: Locator): Promise<void> {
    await target.waitFor();
    await target.scrollIntoViewIfNeeded();
    await sleep(this.pauseMs);
    await target.click();
    this.clickCount += 1;
  }

  /** Types text into a field. Focusing the field does not count as a click, because the tab key focuses it too. */
  async type(field: Locator, text: string): Promise<void> {
    await field.waitFor();
    await field.focus();
    await field.pressSequentially(text, { delay: 40 });
  }
}
