import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * In `npm run test:full`, axe checks every state of every page in both themes. In `npm test`, it checks each page of
 * pages.spec.ts once, because a check takes a second of CPU time.
 */
const checksEveryState = Boolean(process.env.FULL || process.env.SCREENSHOTS);

interface Look {
  /** File name of the screenshot. */
  name: string;
  width: 360 | 1440;
  theme: 'light' | 'dark';
  /** Reports every axe finding, even minor ones. */
  minor: boolean;
  /** Whether axe checks the page. */
  accessible: boolean;
}

/** Checks the current page: no horizontal overflow, no accessibility barriers. Saves a screenshot if one is requested. */
async function lookAt(page: Page, { name, width, theme, minor, accessible }: Look): Promise<void> {
  const label = `${name} at ${width} px, ${theme}`;
  // The window may still be resizing.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), {
      message: `${label} scrolls sideways`,
    })
    .toBe(false);
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `screenshots/${name}-${width}-${theme}.png`, animations: 'disabled' });
  if (accessible) await expectNoBarriers(page, label, minor);
}

/**
 * Expects no accessibility barriers.
 * @param label the page in the failure message
 * @param minor reports every axe finding, even minor ones
 */
export async function expectAccessible(page: Page, label: string, minor = false): Promise<void> {
  if (checksEveryState) await expectNoBarriers(page, label, minor);
}

async function expectNoBarriers(page: Page, label: string, minor: boolean): Promise<void> {
  // The title of a page may be set shortly after the rest of the page.
  await expect(page).toHaveTitle(/./);
  // axe is a script of a million characters, so it is injected once per document.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  // A finding that is only temporary, such as a row between two responses, is gone at the second check.
  await expect(async () => {
    await page.evaluate(waitForFadeIns);
    expect(await page.evaluate(findBarriers, minor), label).toEqual([]);
  }).toPass();
}

/** Runs in the page. Waits for fade-ins, which change colors, but not for endless animations. */
async function waitForFadeIns(): Promise<void> {
  const finiteAnimations = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)));
  await Promise.allSettled(finiteAnimations.map(({ finished }) => finished));
}

/** Runs in the page. @returns serious findings, or all if `minor`, with the elements that they concern */
async function findBarriers(minor: boolean): Promise<string[]> {
  const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await inPage.run(document, {
    ...(minor ? {} : { runOnly: tags }),
    resultTypes: ['violations'],
  });
  return violations
    .filter(({ impact }) => minor || impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Covers every width and every theme once. */
const looks = [
  [360, 'dark'],
  [1440, 'light'],
] as const;
const pictures = [[360, 'light'], [1440, 'dark'], ...looks] as const;

/**
 * Checks the page in both widths and both themes without a reload: each width and theme once, or every combination when
 * screenshots are saved.
 * @param minor whether every axe finding is reported, even minor ones
 * @param once whether it runs in `npm test`, too, where axe checks one width
 */
export async function lookAround(
  page: Page,
  name: string,
  { minor = false, once = false } = {},
): Promise<void> {
  if (!checksEveryState && !once) return;
  const lookIndex = name.length % looks.length;
  for (const [index, [width, theme]] of (process.env.SCREENSHOTS ? pictures : looks).entries()) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await lookAt(page, { name, width, theme, minor, accessible: checksEveryState || index === lookIndex });
  }
}
