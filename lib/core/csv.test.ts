import { expect, test } from 'vitest';
import { formatCsv } from './csv';

test('objects become lines with a column for every field, quoted where needed, and formulas get an apostrophe', () => {
  const rows = [
    { name: 'Talk, "cut"', views: -3 },
    { name: '=1+1', country: 'DE', none: null },
  ];
  expect(formatCsv(rows)).toBe('name,views,country,none\r\n"Talk, ""cut""",-3,,\r\n\'=1+1,,DE,\r\n');
  expect(formatCsv([])).toBe('');
});
