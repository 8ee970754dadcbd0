import { expect, test } from 'vitest';
import { formatCsv } from './csv';

test('objects become lines with a column for every field', () => {
  const rows = [
    { name: 'Film, "cut"', views: -3 },
    { name: '=1+1', country: 'DE', none: null },
  ];
  expect(formatCsv(rows)).toBe('name,views,country,none\r\n"Film, ""cut""",-3,,\r\n\'=1+1,,DE,\r\n');
  expect(formatCsv([])).toBe('');
});
