import { expect, test } from 'vitest';
import { clientAddress } from './client-address';

test.each<[string | null, string]>([
  [null, 'unknown'],
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['x'.repeat(500), 'x'.repeat(64)],
])('X-Forwarded-For: %s → %s', (header, expected) => {
  expect(clientAddress(new Headers(header === null ? {} : { 'x-forwarded-for': header }))).toBe(expected);
});
