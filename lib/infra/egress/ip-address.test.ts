import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createRangeTest,
  createClientAddressReader,
  networkOfIp,
  forwardedAddress,
  isSameHost,
  parseAddress,
  unmapAddress,
} from './ip-address';

test.each([
  '',
  'example.com',
  '127.1',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '2130706433',
  '1.2.3.4.5',
  '[::1]',
  '1::2::3',
])('parseAddress returns null for "%s"', (text) => expect(parseAddress(text)).toBeNull());

test('parseAddress accepts every IPv4 and IPv6 address, with or without a zone id', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV6(), (four, six) => {
      expect(parseAddress(four)?.kind()).toBe('ipv4');
      expect(parseAddress(six)?.kind()).toBe('ipv6');
      expect(parseAddress(`${six}%br-0.1:x`)?.kind()).toBe('ipv6');
    }),
  );
});

test.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['unknown', 'unknown'],
  ['', ''],
])('unmapAddress converts "%s" to "%s"', (raw, address) => expect(unmapAddress(raw)).toBe(address));

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::5', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['::1:2:3:4:5', '0:0:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['198.51.100.9:4711', '198.51.100.9:4711'],
  ['unknown', 'unknown'],
])('networkOfIp of %s is %s', (address, network) => expect(networkOfIp(address)).toBe(network));

test.each<[string, string, boolean]>([
  ['10.0.0.1', '10.0.0.1', true],
  ['::ffff:10.0.0.1', '10.0.0.1', true],
  ['127.0.0.2', '::1', true],
  ['fe80::1%eth0', 'fe80::1', true],
  ['fe80::1%br-0', 'fe80::1', true],
  ['2001:db8:0::1', '2001:DB8::1', true],
  ['10.0.0.1', '10.0.0.2', false],
  ['10.0.0.1', '64:ff9b::10.0.0.1', false],
  ['host', 'host', false],
])('isSameHost of %s and %s is %s', (a, b, isSame) => expect(isSameHost(a, b)).toBe(isSame));

test('address ranges contain addresses of their own family, and IPv4-mapped IPv6 addresses', () => {
  const isInside = createRangeTest(['10.0.0.0/8', 'fd00::/8', '192.0.2.9/32']);
  const containedAddresses = [
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '::ffff:a01:203',
    'fd12::1',
    'fd12::1%eth0',
    '192.0.2.9',
  ];
  const otherAddresses = [
    '11.0.0.0',
    '64:ff9b::10.0.0.1',
    'fc00::1',
    '::ffff:11.0.0.1',
    '10.1',
    '012.0.0.1',
    'host',
    '',
  ];
  expect(containedAddresses.filter((address) => !isInside(address))).toEqual([]);
  expect(otherAddresses.filter(isInside)).toEqual([]);
});

describe('the client of a request', () => {
  const addressOf = createClientAddressReader(['127.0.0.0/8', '::1/128']);
  const clientOf = (remoteAddress: string, forwarded?: string) =>
    addressOf({
      socket: { remoteAddress } as unknown as Parameters<typeof addressOf>[0]['socket'],
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    });

  test('is the peer if it is not a trusted proxy, or forwards no address', () => {
    expect(clientOf('198.51.100.7', '192.0.2.1')).toBe('198.51.100.7');
    expect(clientOf('::ffff:198.51.100.7', '192.0.2.1')).toBe('198.51.100.7');
    expect(clientOf('127.0.0.1')).toBe('127.0.0.1');
  });

  test('is the last entry of X-Forwarded-For from a trusted proxy', () => {
    expect(clientOf('::ffff:127.0.0.1', '10.0.0.1, 192.0.2.1')).toBe('192.0.2.1');
    expect(clientOf('::1', '2001:db8::1')).toBe('2001:db8::1');
    expect(clientOf('127.0.0.1', '::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(clientOf('127.0.0.1', 'x'.repeat(500))).toBe('x'.repeat(64));
  });
});

test.each<[string | null, string]>([
  [null, 'unknown'],
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['x'.repeat(500), 'x'.repeat(64)],
])('forwardedAddress reads X-Forwarded-For %s as %s', (header, expected) => {
  expect(forwardedAddress(new Headers(header === null ? {} : { 'x-forwarded-for': header }))).toBe(expected);
});
