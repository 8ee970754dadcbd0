import { describe, expect, test } from 'vitest';
import { createEgressPolicy } from './egress-policy';

const policy = createEgressPolicy([]);

/** Host as `new URL` returns it, which normalizes every notation of an address. */
const hostOf = (authority: string) => new URL(`http://${authority}/`).hostname;

describe('by default', () => {
  test.each([
    '127.0.0.1', '127.1', '2130706433', '0x7f.1', '017700000001', '127.0.0.1.', '①②⑦.0.0.1', '127.255.255.254',
    '0.0.0.0', '0', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1',
    '100.100.100.200', '169.254.169.254', '192.0.0.170', '192.0.2.1', '198.18.0.1', '198.19.255.255',
    '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255',
    '192.88.99.1', '168.63.129.16',
    '[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:8.8.8.8]', '[::127.0.0.1]',
    '[64:ff9b::7f00:1]', '[64:ff9b:1::1]', '[100::1]', '[2001::1]', '[2001:10::1]', '[2001:db8::1]',
    '[2002:7f00:1::]', '[3fff::1]', '[5f00::1]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]',
    '[ff02::1]',
    'localhost', 'LOCALHOST', 'localhost.', 'app.localhost', 'printer.local', 'metadata.google.internal',
    'router.home.arpa', 'intranet', 'db',
  ])('%s is denied', (authority) => {
    expect(policy.allowsHost(hostOf(authority))).toBe(false);
  }); // prettier-ignore

  test.each([
    'example.com', 'localhost.example.com', 'local.example', '8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1',
    '100.63.255.255', '100.128.0.1', '11.0.0.1', '192.169.0.1', '223.255.255.255', '168.63.129.17',
    '[2606:4700:4700::1111]', '[2a00:1450:4001::200e]', '[2001:4860:4860::8888]', '[2001:200::1]',
  ])('%s is allowed', (authority) => {
    expect(policy.allowsHost(hostOf(authority))).toBe(true);
  }); // prettier-ignore

  test.each([
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    'fe80::1%eth0',
    '64:ff9b::8.8.8.8',
  ])('a name that resolves to %s is denied', (address) => expect(policy.allowsAddress(address)).toBe(false));

  test('allowsAddress rejects a text that is not an address', () => {
    for (const text of ['', 'example.com', '1.2.3', '010.8.8.8', '0x8.8.8.8', '1.2.3.4.5', '[::1]', 'g::1']) {
      expect(policy.allowsAddress(text)).toBe(false);
    }
  });
});

describe('with ranges that the operator allows', () => {
  test.each<[string[], string, boolean]>([
    [['127.0.0.1/32'], '127.0.0.1', true],
    [['127.0.0.1/32'], 'localhost', true],
    [['::1/128'], 'localhost', true],
    [['::1/128'], '[::1]', true],
    [['::1/128'], '127.0.0.1', false],
    [['127.0.0.1/32'], '127.0.0.2', false],
    [['10.0.0.0/8'], '10.20.30.40', true],
    [['10.0.0.0/8'], '192.168.0.1', false],
    [['10.0.0.0/8'], 'localhost', false],
    [['10.0.0.0/8'], 'receiver', true],
    [['fd00::/8'], '[fd12::1]', true],
    [['fd00::/8'], '[fe80::1]', false],
    [['0.0.0.0/0', '::/0'], '169.254.169.254', true],
  ])('with %j, whether %s is allowed: %s', (cidrs, authority, isAllowed) => {
    expect(createEgressPolicy(cidrs).allowsHost(hostOf(authority))).toBe(isAllowed);
  });
});
