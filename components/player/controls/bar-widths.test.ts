import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { minStageWidths, movesToSettings } from './bar-widths';

test('the class names of the bar hide controls at the widths of `minStageWidths`', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.tsx'));
  const sourceCode = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n');
  const usedWidths = [...sourceCode.matchAll(/@max-\[(\d+)px\]\/stage:hidden/g)].map(([, width]) =>
    Number(width),
  );
  expect([...new Set(usedWidths)].toSorted((a, b) => a - b)).toEqual([
    ...new Set(Object.values(minStageWidths)),
  ]);
});

test('a control moves to the settings below its smallest width of the stage', () => {
  expect(movesToSettings('captions', 399)).toBe(true);
  expect(movesToSettings('captions', 400)).toBe(false);
  expect(movesToSettings('theater', 959)).toBe(true);
  expect(movesToSettings('theater', 960)).toBe(false);
});
