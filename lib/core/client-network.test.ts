import { expect, test } from 'vitest';
import { clientNetwork } from './client-network';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['::1:2:3:4:5', '0:0:0:1::/64'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['198.51.100.9:4711', '198.51.100.9:4711'],
  ['unknown', 'unknown'],
])('%s counts as %s', (address, network) => expect(clientNetwork(address)).toBe(network));
