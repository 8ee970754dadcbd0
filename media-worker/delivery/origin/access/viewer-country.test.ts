import { expect, test } from 'vitest';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { createEdgeName, formatVia } from '@/media-worker/kit/http/via';
import { createCountryLookup } from './viewer-country';

const database = { countryOf: (address: string) => (address.startsWith('81.') ? 'GB' : null) };
const countryOf = createCountryLookup(database, createClientAddressReader(['10.0.0.0/8']));
type Request = Parameters<typeof countryOf>[0];
const lookUp = (remoteAddress: string, headers: Record<string, string>) =>
  countryOf({ socket: { remoteAddress }, headers } as Request);
const via = formatVia([createEdgeName('0a0b0c0d')]);

test.each([
  ['81.2.69.1', {}, 'GB'],
  ['192.0.2.1', {}, null],
  ['10.0.0.1', { 'x-forwarded-for': '81.2.69.1' }, 'GB'],
  ['10.0.0.1', { 'x-forwarded-for': '81.2.69.1, 192.0.2.1' }, null],
  // Only a trusted proxy may name the address.
  ['192.0.2.1', { 'x-forwarded-for': '81.2.69.1' }, null],
  ['10.0.0.1', { 'x-forwarded-for': '81.2.69.1', via }, 'GB'],
  // The country of viewers behind an edge is not known from its own requests, trusted or not.
  ['10.0.0.1', { via }, undefined],
  ['81.2.69.1', { via }, undefined],
  ['81.2.69.1', { 'x-forwarded-for': '81.2.69.2', via }, undefined],
  ['81.2.69.1', { via: '1.1 another-cache' }, 'GB'],
])('a viewer at %s with the headers %j has the country %j', (address, headers, country) => {
  expect(lookUp(address, headers)).toBe(country);
});
