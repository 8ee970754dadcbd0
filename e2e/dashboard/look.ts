import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export const widths = [360, 1440] as const;
export const themes = ['light', 'dark'] as const;

interface Look {
  /** Of the picture that is kept. */
  name: string;
  width: (typeof widths)[number];
  theme: (typeof themes)[number];
}

/** The page as it stands now: nothing too wide, nothing that shuts people out. Keeps a picture of it. */
export async function lookAt(page: Page, { name, width, theme }: Look): Promise<void> {
  const where = `${name} at ${width} px, ${theme}`;
  // The window may still be on its way to its new size.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), {
      message: `${where} scrolls sideways`,
    })
    .toBe(false);
  await page.screenshot({ path: `screenshots/${name}-${width}-${theme}.png`, animations: 'disabled' });
  await expectAccessible(page, where);
}

/** Nothing that shuts people out. `where`: for whoever reads the failure. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(
    serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    where,
  ).toEqual([]);
}

const each = [
  [360, 'dark'],
  [1440, 'light'],
] as const;
const all = [[360, 'light'], [1440, 'dark'], ...each] as const;

/** The same in both widths and themes, without loading the page anew: each of them once, or every pair. */
export async function lookAround(page: Page, name: string, pairs: 'each' | 'all' = 'each'): Promise<void> {
  for (const [width, theme] of pairs === 'all' ? all : each) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await lookAt(page, { name, width, theme });
  }
}
