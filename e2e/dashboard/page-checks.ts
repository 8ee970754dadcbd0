import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * In `npm run test:full`, axe checks every state of every page in both themes. In `npm test`, it checks each page of
 * pages.spec.ts once, because a check takes a second of CPU time.
 */
const checksEveryState = Boolean(process.env.FULL || process.env.SCREENSHOTS);

interface ViewCheck {
  /** File name of the screenshot. */
  name: string;
  width: 360 | 1440;
  theme: 'light' | 'dark';
  /** Whether minor findings of axe are reported too. */
  minor: boolean;
  /** Whether axe checks the page. */
  runsAxe: boolean;
}

/**
 * Checks one width and theme of the current page: no horizontal overflow, and no accessibility violations if axe runs. Saves
 * a screenshot if the variable SCREENSHOTS is set.
 */
async function checkView(page: Page, { name, width, theme, minor, runsAxe }: ViewCheck): Promise<void> {
  const label = `${name} at ${width} px, ${theme}`;
  // The window may still be resizing.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), {
      message: `${label} scrolls sideways`,
    })
    .toBe(false);
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `screenshots/${name}-${width}-${theme}.png`, animations: 'disabled' });
  if (runsAxe) await expectNoViolations(page, label, minor);
}

/**
 * Expects no accessibility violations in `npm run test:full`, and does nothing in `npm test`.
 * @param label name of the page in the failure message
 * @param minor whether minor findings of axe are reported too
 */
export async function expectAccessible(page: Page, label: string, minor = false): Promise<void> {
  if (checksEveryState) await expectNoViolations(page, label, minor);
}

async function expectNoViolations(page: Page, label: string, minor: boolean): Promise<void> {
  // The title of a page may be set shortly after the rest of the page.
  await expect(page).toHaveTitle(/./);
  // axe is a script of a million characters, so it is injected once per document.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  // The check is repeated, because a finding may be temporary, for example while a row waits for a response.
  await expect(async () => {
    await page.evaluate(waitForFadeIns);
    expect(await page.evaluate(findViolations, minor), label).toEqual([]);
  }).toPass();
}

/** Waits for fade-ins, which change colors, but not for endless animations. The function runs in the page. */
async function waitForFadeIns(): Promise<void> {
  const finiteAnimations = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)));
  await Promise.allSettled(finiteAnimations.map(({ finished }) => finished));
}

/**
 * Runs axe in the page.
 * @returns serious and critical findings with their elements, or all findings if `minor`
 */
async function findViolations(minor: boolean): Promise<string[]> {
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

/** Widths and themes to check, with each width and each theme once. */
const checkedViews = [
  [360, 'dark'],
  [1440, 'light'],
] as const;
const screenshotViews = [[360, 'light'], [1440, 'dark'], ...checkedViews] as const;

/**
 * Checks the page in both widths and both themes without a reload: each width and theme once, or every combination if
 * screenshots are saved. Does nothing in `npm test`, except with `always`.
 * @param minor whether minor findings of axe are reported too
 * @param always whether the page is also checked in `npm test`, where axe checks one width
 */
export async function checkPage(
  page: Page,
  name: string,
  { minor = false, always = false } = {},
): Promise<void> {
  if (!checksEveryState && !always) return;
  // Half of the pages are checked at each width.
  const axeIndex = name.length % checkedViews.length;
  for (const [index, [width, theme]] of (process.env.SCREENSHOTS
    ? screenshotViews
    : checkedViews
  ).entries()) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await checkView(page, { name, width, theme, minor, runsAxe: checksEveryState || index === axeIndex });
  }
}
