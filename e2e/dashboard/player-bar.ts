const narrowControls = ['Pause', 'Unmute', 'Settings', 'Full screen'];
const mediumControls = [...narrowControls, 'Picture in picture'];
const wideControls = [...mediumControls, 'Back 10 seconds', 'Forward 10 seconds'];

/** Widths of a player in pixels, each with the names of the buttons in its control bar. */
export const controlsByWidth = [
  [320, narrowControls],
  [360, narrowControls],
  [400, narrowControls],
  [640, mediumControls],
  [960, wideControls],
  [1280, wideControls],
  [2560, wideControls],
] as const;

/**
 * Inspects the visible controls of a control bar. The function runs in the page.
 * @returns names of the buttons, of controls outside the player, of overlapping buttons and of buttons smaller than 44 px, and
 *     the width of the document in pixels
 */
export function inspectBar(bar: Element) {
  const playerBox = bar.closest('section')?.getBoundingClientRect() ?? new DOMRect();
  const controls = [...bar.querySelectorAll('button, input[type="range"], [role="slider"]')];
  const visibleControls = controls.filter((control) => control.getBoundingClientRect().width > 0);
  const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent;
  const boxes = visibleControls.map((control) => ({
    name: nameOf(control),
    box: control.getBoundingClientRect(),
  }));
  const outside = boxes.filter(
    ({ box }) =>
      box.left < playerBox.left ||
      box.right > playerBox.right ||
      box.top < playerBox.top ||
      box.bottom > playerBox.bottom,
  );
  const buttons = boxes.filter((_, index) => visibleControls[index]?.matches('button'));
  const overlaps = buttons.flatMap(({ name, box }, index) =>
    buttons
      .slice(index + 1)
      // Edges are at fractions of a pixel, so half a pixel is not an overlap.
      .filter((other) => box.left < other.box.right - 0.5 && other.box.left < box.right - 0.5)
      .map((other) => `${name} and ${other.name}`),
  );
  return {
    names: buttons.map(({ name }) => name).sort(),
    outside: outside.map(({ name }) => name),
    overlaps,
    small: buttons.filter(({ box }) => Math.min(box.width, box.height) < 44).map(({ name }) => name),
    scrollWidth: document.documentElement.scrollWidth,
  };
}
