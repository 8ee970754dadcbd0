import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accentFormat, accentBackgrounds, contrastOf, readableShadesOf, READABLE_CONTRAST } from './accent';

const anyColor = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('contrast ratios are those of WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
  expect(contrastOf('#ffffff', '#ffffff')).toBe(1);
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

describe('readableShadesOf', () => {
  test('returns shades of any color that are readable in both themes, as is text on them', () => {
    fc.assert(
      fc.property(anyColor, (accent) => {
        const { light, dark } = readableShadesOf(accent);
        for (const shade of [light, dark]) expect(shade).toMatch(accentFormat);
        expect(contrastOf(light, accentBackgrounds.light)).toBeGreaterThanOrEqual(READABLE_CONTRAST);
        expect(contrastOf(dark, accentBackgrounds.dark)).toBeGreaterThanOrEqual(READABLE_CONTRAST);
        // Text on the accent color (`--on-accent` in app/globals.css) is light in the light theme and dark in the dark theme.
        expect(contrastOf(light, '#ffffff')).toBeGreaterThanOrEqual(READABLE_CONTRAST);
        expect(contrastOf(dark, '#0b1013')).toBeGreaterThanOrEqual(READABLE_CONTRAST);
      }),
    );
  });

  test('returns the color itself if it is readable', () => {
    expect(readableShadesOf('#00505a').light).toBe('#00505a');
    expect(readableShadesOf('#5cc8c3').dark).toBe('#5cc8c3');
  });

  test.each([
    ['#ffff00', 'light'],
    ['#000080', 'dark'],
  ] as const)('%s changes only in the %s theme', (accent, theme) => {
    const shades = readableShadesOf(accent);
    expect(shades[theme]).not.toBe(accent);
    expect(shades[theme === 'light' ? 'dark' : 'light']).toBe(accent);
  });
});
