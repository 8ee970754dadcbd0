import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

interface Look {
  /** Of the picture that is kept. */
  name: string;
  width: 360 | 1440;
  theme: 'light' | 'dark';
  /** Rules that the markup of a library breaks. */
  except: readonly string[];
}

/** The page as it stands now: nothing too wide, nothing that shuts people out. Keeps a picture of it if one is asked for. */
async function lookAt(page: Page, { name, width, theme, except }: Look): Promise<void> {
  const where = `${name} at ${width} px, ${theme}`;
  // The window may still be on its way to its new size.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), {
      message: `${where} scrolls sideways`,
    })
    .toBe(false);
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `screenshots/${name}-${width}-${theme}.png`, animations: 'disabled' });
  await expectAccessible(page, where, except);
}

/**
 * Nothing that shuts people out.
 * @param where for whoever reads the failure
 * @param except rules that the markup of a library breaks
 */
export async function expectAccessible(
  page: Page,
  where: string,
  except: readonly string[] = [],
): Promise<void> {
  // The title of a page may come a moment after the rest of it.
  await expect(page).toHaveTitle(/./);
  // A million characters: once for each document is enough.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  await page.evaluate(standStill);
  expect(await page.evaluate(findBarriers, except), where).toEqual([]);
}

/** Runs in the page. What is still fading in has not got its colours yet; what turns for ever is not waited for. */
async function standStill(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)));
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

/** Runs in the page. @returns what is serious, with the elements that it is about */
async function findBarriers(except: readonly string[]): Promise<string[]> {
  const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
  const { violations } = await inPage.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
    resultTypes: ['violations'],
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

const each = [
  [360, 'dark'],
  [1440, 'light'],
] as const;
const all = [[360, 'light'], [1440, 'dark'], ...each] as const;

/**
 * Looks at the page in both widths and both themes without reloading it. `each` covers every width and theme once, `all`
 * every combination. When pictures are kept, it is always `all`.
 */
export async function lookAround(
  page: Page,
  name: string,
  pairs: 'each' | 'all' = 'each',
  except: readonly string[] = [],
): Promise<void> {
  for (const [width, theme] of pairs === 'all' || process.env.SCREENSHOTS ? all : each) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await lookAt(page, { name, width, theme, except });
  }
}
