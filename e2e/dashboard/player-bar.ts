const always = ['Pause', 'Unmute', 'Settings', 'Full screen'];
const mediumControls = [...always, 'Picture in picture'];
const wideControls = [...mediumControls, 'Back 10 seconds', 'Forward 10 seconds'];

/** Widths of a player, each with the names of the buttons in its bar. */
export const widths = [
  [320, always],
  [360, always],
  [400, always],
  [640, mediumControls],
  [960, wideControls],
  [1280, wideControls],
  [2560, wideControls],
] as const;

/** Runs in the page. @returns the visible controls of the bar: their names, and errors in their positions */
export function inspectBar(bar: Element) {
  const stage = bar.closest('section')?.getBoundingClientRect() ?? new DOMRect();
  const controls = [...bar.querySelectorAll('button, input[type="range"], [role="slider"]')];
  const visibleControls = controls.filter((each) => each.getBoundingClientRect().width > 0);
  const nameOf = (each: Element) => each.getAttribute('aria-label') ?? each.textContent;
  const boxes = visibleControls.map((each) => ({ name: nameOf(each), box: each.getBoundingClientRect() }));
  const outside = boxes.filter(
    ({ box }) =>
      box.left < stage.left || box.right > stage.right || box.top < stage.top || box.bottom > stage.bottom,
  );
  const buttons = boxes.filter((_, index) => visibleControls[index]?.matches('button'));
  const overlaps = buttons.flatMap(({ name, box }, index) =>
    buttons
      .slice(index + 1)
      .filter((otherBox) => box.left < otherBox.box.right - 0.5 && otherBox.box.left < box.right - 0.5)
      .map((otherBox) => `${name} and ${otherBox.name}`),
  );
  return {
    names: buttons.map(({ name }) => name).sort(),
    outside: outside.map(({ name }) => name),
    overlaps,
    small: buttons.filter(({ box }) => Math.min(box.width, box.height) < 44).map(({ name }) => name),
    scrollWidth: document.documentElement.scrollWidth,
  };
}
