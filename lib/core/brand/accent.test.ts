import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accentFormat, accentGrounds, contrastOf, readableAccent, readableContrast } from './accent';

const color = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('contrast ratios are those of WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
  expect(contrastOf('#ffffff', '#ffffff')).toBe(1);
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

describe('readable accent', () => {
  test('is readable in both themes, and so is text on it, for any colour', () => {
    fc.assert(
      fc.property(color, (accent) => {
        const { light, dark } = readableAccent(accent);
        for (const shade of [light, dark]) expect(shade).toMatch(accentFormat);
        expect(contrastOf(light, accentGrounds.light)).toBeGreaterThanOrEqual(readableContrast);
        expect(contrastOf(dark, accentGrounds.dark)).toBeGreaterThanOrEqual(readableContrast);
        expect(contrastOf(light, '#ffffff')).toBeGreaterThanOrEqual(readableContrast);
        expect(contrastOf(dark, '#0b1013')).toBeGreaterThanOrEqual(readableContrast);
      }),
    );
  });

  test('is the colour itself if readable', () => {
    expect(readableAccent('#00505a').light).toBe('#00505a');
    expect(readableAccent('#5cc8c3').dark).toBe('#5cc8c3');
  });

  test.each([
    ['#ffff00', 'light'],
    ['#000080', 'dark'],
  ] as const)('%s changes in the %s theme', (accent, theme) => {
    const shades = readableAccent(accent);
    expect(shades[theme]).not.toBe(accent);
    expect(shades[theme === 'light' ? 'dark' : 'light']).toBe(accent);
  });
});
