import { expect, it } from 'vitest';
import { mask } from './secret-field';

it('masks every character and keeps the separators', () => {
  expect(mask('abcd-ef12-99zz-0000')).toBe('••••-••••-••••-••••');
  expect(mask('hw_live')).toBe('••_••••');
  expect(mask('')).toBe('');
});
