import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { isLocalAddress } from './local-address';

const localRanges = new Set([
  ...['unspecified', 'private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'],
]);
const isLocalRange = (address: string) => localRanges.has(ipaddr.parse(address).range());

/** The unspecified IPv4 address is a single address for ipaddr.js, but a block in RFC 1122. */
const isThisNetwork = (address: string) => /^0\./.test(address);

test('isLocalAddress agrees with ipaddr.js for every kind of IPv4 address', () =>
  fc.assert(
    fc.property(
      fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 203, 8),
      fc.integer({ min: 0, max: 255 }),
      fc.ipV4(),
      (first, second, rest) => {
        const address = [first, second, ...rest.split('.').slice(2)].join('.');
        fc.pre(!isThisNetwork(address));
        expect(isLocalAddress(address), address).toBe(isLocalRange(address));
      },
    ),
  ));

test('isLocalAddress agrees with ipaddr.js for every kind of IPv6 address', () =>
  fc.assert(
    fc.property(
      fc.constantFrom('fc00', 'fdff', 'fe80', 'febf', 'fec0', '2001', '2a02', '::1', '::'),
      (first) => {
        const address = first.startsWith('::') ? first : `${first}::7`;
        expect(isLocalAddress(address.toUpperCase()), address).toBe(isLocalRange(address));
      },
    ),
  ));

test.each(['0.0.0.0', '127.0.0.1', '::1', '::ffff:10.0.0.5', '::FFFF:127.0.0.1'])(
  'the address %s is local',
  (address) => expect(isLocalAddress(address)).toBe(true),
);

test.each(['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1'])('%s is not local', (address) =>
  expect(isLocalAddress(address)).toBe(false),
);
