import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * `npm run test:full` has axe look at every state of every page, in both themes; `npm test` at each page of pages.spec.ts
 * once, because a look takes a second of the processor.
 */
const everyLook = Boolean(process.env.FULL || process.env.SCREENSHOTS);

interface Look {
  /** Of the picture that is kept. */
  name: string;
  width: 360 | 1440;
  theme: 'light' | 'dark';
  /** Accepts nothing that axe knows of, not even what is minor. */
  minor: boolean;
  /** Asks axe, too. */
  accessible: boolean;
}

/** The page as it stands now: nothing too wide, nothing that shuts people out. Keeps a picture of it if one is asked for. */
async function lookAt(page: Page, { name, width, theme, minor, accessible }: Look): Promise<void> {
  const label = `${name} at ${width} px, ${theme}`;
  // The window may still be on its way to its new size.
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
 * Nothing that shuts people out.
 * @param where named in the failure message
 * @param minor accepts nothing that axe knows of
 */
export async function expectAccessible(page: Page, label: string, minor = false): Promise<void> {
  if (everyLook) await expectNoBarriers(page, label, minor);
}

async function expectNoBarriers(page: Page, label: string, minor: boolean): Promise<void> {
  // The title of a page may come a moment after the rest of it.
  await expect(page).toHaveTitle(/./);
  // A million characters: once for each document is enough.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  // What is only passing, such as a row between two answers, is gone at the second look.
  await expect(async () => {
    await page.evaluate(standStill);
    expect(await page.evaluate(findBarriers, minor), label).toEqual([]);
  }).toPass();
}

/** Runs in the page. What is still fading in has not got its colours yet; what turns for ever is not waited for. */
async function standStill(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)));
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

/** Runs in the page. @returns what is serious, or everything, with the elements that it is about */
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

/** Every width and every theme once. */
const looks = [
  [360, 'dark'],
  [1440, 'light'],
] as const;
const pictures = [[360, 'light'], [1440, 'dark'], ...looks] as const;

/**
 * Looks at the page in both widths and both themes without reloading it: each of them once, or every combination when
 * pictures are kept.
 * @param options minor: accepts nothing that axe knows of; once: also in `npm test`, where axe gets one of the two looks
 */
export async function lookAround(
  page: Page,
  name: string,
  { minor = false, once = false } = {},
): Promise<void> {
  if (!everyLook && !once) return;
  const lookIndex = name.length % looks.length;
  for (const [index, [width, theme]] of (process.env.SCREENSHOTS ? pictures : looks).entries()) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await lookAt(page, { name, width, theme, minor, accessible: everyLook || index === lookIndex });
  }
}
