import { expect, test } from 'vitest';
import { clientAddressFrom } from '@/lib/infra/egress/ip-address';
import { edgeNamed, viaOf } from '@/media-worker/kit/http/via';
import { viewerCountry } from './viewer-country';

const database = { countryOf: (address: string) => (address.startsWith('81.') ? 'GB' : null) };
const countryOf = viewerCountry(database, clientAddressFrom(['10.0.0.0/8']));
type Request = Parameters<typeof countryOf>[0];
const ask = (remoteAddress: string, headers: Record<string, string>) =>
  countryOf({ socket: { remoteAddress }, headers } as Request);
const via = viaOf([edgeNamed('0a0b0c0d')]);

test.each([
  ['81.2.69.1', {}, 'GB'],
  ['192.0.2.1', {}, null],
  ['10.0.0.1', { 'x-forwarded-for': '81.2.69.1' }, 'GB'],
  ['10.0.0.1', { 'x-forwarded-for': '81.2.69.1, 192.0.2.1' }, null],
  // Only a trusted proxy may name the address.
  ['192.0.2.1', { 'x-forwarded-for': '81.2.69.1' }, null],
  ['10.0.0.1', { 'x-forwarded-for': '81.2.69.1', via }, 'GB'],
  // An edge requests for all its viewers; so does an untrusted edge.
  ['10.0.0.1', { via }, undefined],
  ['81.2.69.1', { via }, undefined],
  ['81.2.69.1', { 'x-forwarded-for': '81.2.69.2', via }, undefined],
  ['81.2.69.1', { via: '1.1 another-cache' }, 'GB'],
])('a viewer from %s with %j is in %j', (address, headers, country) => {
  expect(ask(address, headers)).toBe(country);
});
