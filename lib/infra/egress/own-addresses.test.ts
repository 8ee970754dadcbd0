import type { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { createEgressPolicy } from './egress-policy';
import { createOwnAddresses, publicHosts } from './own-addresses';

const interfaces = () =>
  ({
    eth0: [{ address: '8.8.4.4' }, { address: '2001:4860::7' }],
    lo: [{ address: '127.0.0.1' }],
  }) as unknown as ReturnType<typeof networkInterfaces>;

/** Own addresses with a resolver that returns `answers`, and a clock that the test advances. */
function createTestAddresses(answers: Record<string, readonly string[] | Error>) {
  let nowMs = 0;
  const lookups: string[] = [];
  const addresses = createOwnAddresses({
    hosts: ['live.example', 'live.example', '[2001:4860:0::9]', '9.9.9.9'],
    interfaces,
    monotonic: () => nowMs,
    resolve: (name) => {
      lookups.push(name);
      const answer = answers[name] ?? new Error('unknown');
      if (answer instanceof Error) return Promise.reject(answer);
      return Promise.resolve(answer.map((address) => ({ address, family: 4 })));
    },
  });
  return { addresses, lookups, advance: (ms: number) => (nowMs += ms), answers };
}

test('addresses of interfaces and literal hosts are known immediately, those of names after their lookup', async () => {
  const { addresses, lookups } = createTestAddresses({ 'live.example': ['1.1.1.1'] });
  expect(
    ['8.8.4.4', '2001:4860::7', '2001:4860:0:0::9', '9.9.9.9'].map((address) => addresses.includes(address)),
  ).toEqual([true, true, true, true]);
  expect(['8.8.8.8', '1.1.1.1', 'x'].map((address) => addresses.includes(address))).toEqual([
    false,
    false,
    false,
  ]);
  await Promise.all([addresses.refresh(), addresses.refresh()]);
  expect(addresses.includes('1.1.1.1')).toBe(true);
  expect(lookups).toEqual(['live.example']);
});

test('a name is resolved periodically, and keeps its addresses while the lookup fails', async () => {
  const { addresses, answers, lookups, advance } = createTestAddresses({ 'live.example': ['1.1.1.1'] });
  await addresses.refresh();
  answers['live.example'] = ['1.0.0.1'];
  advance(10_000);
  await addresses.refresh();
  expect(addresses.includes('1.0.0.1')).toBe(false);
  advance(30_000);
  await addresses.refresh();
  expect([addresses.includes('1.0.0.1'), addresses.includes('1.1.1.1')]).toEqual([true, false]);
  answers['live.example'] = new Error('no answer');
  advance(40_000);
  await addresses.refresh();
  expect(addresses.includes('1.0.0.1')).toBe(true);
  expect(lookups).toHaveLength(3);
});

test('teams cannot make the service call itself, unless the operator allows it', () => {
  const addresses = createOwnAddresses({ interfaces });
  const closedPolicy = createEgressPolicy([], addresses);
  expect(closedPolicy.allowsAddress('8.8.4.4')).toBe(false);
  expect(closedPolicy.allowsHost('[2001:4860::7]')).toBe(false);
  expect(closedPolicy.allowsAddress('8.8.8.8')).toBe(true);
  const openPolicy = createEgressPolicy(['8.8.4.0/24'], addresses);
  expect([openPolicy.allowsAddress('8.8.4.4'), openPolicy.allowsAddress('2001:4860::7')]).toEqual([
    true,
    false,
  ]);
});

test('public hosts come from the settings', () => {
  const urls = {
    baseUrl: 'https://live.example',
    cdnUrl: 'http://[2001:4860::9]:8080/x',
    uploadUrl: 'https://up.example:444',
    rtmpUrl: 'rtmps://In.Example/live',
  };
  expect(publicHosts(urls)).toEqual(['live.example', '[2001:4860::9]', 'up.example', 'in.example']);
  expect(publicHosts({ ...urls, rtmpsUrl: 'rtmps://tls.example/live' })).toContain('tls.example');
});
