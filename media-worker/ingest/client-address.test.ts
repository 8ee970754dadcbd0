import { describe, expect, it } from 'vitest';
import { addressGroup, clientAddress } from './client-address';

it.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
])('writes %s as %s', (raw, address) => {
  expect(clientAddress(raw)).toBe(address);
});

describe('addressGroup', () => {
  it('takes an IPv4 address as it is', () => {
    expect(addressGroup('192.0.2.1')).toBe('192.0.2.1');
  });

  it.each(['2001:db8:1:2::1', '2001:DB8:1:2:3:4:5:6', '2001:db8:1:2:ffff::'])(
    'puts %s into its /64',
    (address) => {
      expect(addressGroup(address)).toBe('2001:db8:1:2::/64');
    },
  );

  it.each([
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::5', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('writes out the zeros of %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});
