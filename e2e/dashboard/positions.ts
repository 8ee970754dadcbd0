import { expect, type Locator, type Page } from '@playwright/test';

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Reads the positions of elements on the page in whole pixels. All positions are read in one step, because the layout may
 * change between two reads.
 */
export async function readRectangles(page: Page, locators: readonly Locator[]): Promise<Rectangle[]> {
  const elements = await Promise.all(locators.map((locator) => locator.elementHandle({ timeout: 5_000 })));
  return page.evaluate(
    (pageElements) =>
      pageElements.map((element) => {
        const { left, top, right, bottom } = (element as Element).getBoundingClientRect();
        const [scrolledX, scrolledY] = [window.scrollX, window.scrollY];
        const rectangle = {
          left: left + scrolledX,
          top: top + scrolledY,
          right: right + scrolledX,
          bottom: bottom + scrolledY,
        };
        return Object.fromEntries(
          Object.entries(rectangle).map(([side, value]) => [side, Math.round(value)]),
        ) as unknown as typeof rectangle;
      }),
    elements,
  );
}

/** Expects elements to be completely visible when the page is not scrolled. */
export async function expectAboveTheFold(page: Page, ...locators: readonly Locator[]): Promise<void> {
  await expect(async () => {
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    const rectangles = await readRectangles(page, locators);
    const outside = rectangles.flatMap(({ left, right, top, bottom }, index) =>
      left >= 0 && right <= width && top >= 0 && bottom <= height && right > left && bottom > top
        ? []
        : [`${String(locators[index])} from ${left},${top} to ${right},${bottom}`],
    );
    expect(outside, `outside of ${width} x ${height}`).toEqual([]);
  }).toPass();
}

/** Expects elements in this vertical order, in any columns. Two elements must not have the same top. */
export async function expectOrder(page: Page, ...locators: readonly Locator[]): Promise<void> {
  await expect(async () => {
    const tops = (await readRectangles(page, locators)).map(({ top }) => top);
    expect(tops).toEqual([...new Set(tops)].sort((a, b) => a - b));
  }).toPass();
}
