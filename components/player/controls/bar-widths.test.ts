import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { minStageWidths, movesToSettings } from './bar-widths';

test('the bar hides its controls at the widths of the table', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.tsx'));
  const text = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n');
  const usedWidths = [...text.matchAll(/@max-\[(\d+)px\]\/stage:hidden/g)].map(([, width]) => Number(width));
  expect([...new Set(usedWidths)].toSorted((a, b) => a - b)).toEqual([
    ...new Set(Object.values(minStageWidths)),
  ]);
});

test('a control is either in the bar or in the settings', () => {
  expect(movesToSettings('captions', 399)).toBe(true);
  expect(movesToSettings('captions', 400)).toBe(false);
  expect(movesToSettings('theater', 959)).toBe(true);
  expect(movesToSettings('theater', 960)).toBe(false);
});
