import { expect, type Locator, type Page } from '@playwright/test';

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Positions on the page in whole pixels, all read in one step, because the layout may change between two reads. */
export async function placesOf(page: Page, locators: readonly Locator[]): Promise<Rectangle[]> {
  const elements = await Promise.all(locators.map((each) => each.elementHandle({ timeout: 5_000 })));
  return page.evaluate(
    (shown) =>
      shown.map((element) => {
        const { left, top, right, bottom } = (element as Element).getBoundingClientRect();
        const [across, down] = [window.scrollX, window.scrollY];
        const rectangle = {
          left: left + across,
          top: top + down,
          right: right + across,
          bottom: bottom + down,
        };
        return Object.fromEntries(
          Object.entries(rectangle).map(([side, value]) => [side, Math.round(value)]),
        ) as unknown as typeof rectangle;
      }),
    elements,
  );
}

/** Expects elements to be completely visible on a page that was not scrolled. */
export async function expectAboveTheFold(page: Page, ...locators: readonly Locator[]): Promise<void> {
  await expect(async () => {
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    const places = await placesOf(page, locators);
    const outside = places.flatMap(({ left, right, top, bottom }, at) =>
      left >= 0 && right <= width && top >= 0 && bottom <= height && right > left && bottom > top
        ? []
        : [`${String(locators[at])} from ${left},${top} to ${right},${bottom}`],
    );
    expect(outside, `outside of ${width} x ${height}`).toEqual([]);
  }).toPass();
}

/** Expects this vertical order, regardless of columns. */
export async function expectOrder(page: Page, ...locators: readonly Locator[]): Promise<void> {
  await expect(async () => {
    const tops = (await placesOf(page, locators)).map(({ top }) => top);
    expect(tops).toEqual([...new Set(tops)].sort((a, b) => a - b));
  }).toPass();
}
