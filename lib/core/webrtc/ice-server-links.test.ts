import fc from 'fast-check';
import { expect, test } from 'vitest';
import { iceServerLinks } from '@/media-worker/delivery/origin/webrtc/ice-server-links';
import { iceServersOf } from './ice-server-links';

const text = fc.stringMatching(/^[ -~]{1,20}$/);
const server = fc.record({
  url: fc.constantFrom('stun:stun.example.com:3478', 'turns:[2001:db8::1]:443?transport=tcp'),
  login: fc.option(fc.record({ username: text, credential: text })),
});

test('reads what the origin writes, whatever the password is', () =>
  fc.assert(
    fc.property(fc.array(server, { maxLength: 8 }), (servers) => {
      expect(iceServersOf(iceServerLinks(servers))).toEqual(
        servers.map(({ url, login }) => ({ urls: url, ...login })),
      );
    }),
  ));

test.each([
  ['', []],
  [null, []],
  ['<https://example.com/>; rel="ice-server"', []],
  ['<stun:a.example>; rel="preload"', []],
  ['<stun:a.example>', []],
  ['<https://a.example>; rel="next", <stun:b.example>; rel="ice-server"', [{ urls: 'stun:b.example' }]],
  ['<turn:a.example>; rel="ice-server"; username="a"', [{ urls: 'turn:a.example' }]],
])('%s', (header, servers) => expect(iceServersOf(header)).toEqual(servers));

test('never throws, and a header that is too long names none', () => {
  fc.assert(fc.property(fc.string(), (header) => void iceServersOf(`<stun:a>;${header}`)));
  const one = '<stun:a.example>; rel="ice-server"';
  expect(iceServersOf(Array.from({ length: 20 }, () => one).join(', '))).toHaveLength(8);
  expect(iceServersOf(Array.from({ length: 1_000 }, () => one).join(', '))).toEqual([]);
});
