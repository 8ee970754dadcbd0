import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatIceServerLinks } from '@/media-worker/delivery/origin/webrtc/ice-server-links';
import { parseIceServerLinks } from './ice-server-links';

const text = fc.stringMatching(/^[ -~]{1,20}$/);
const server = fc.record({
  url: fc.constantFrom('stun:stun.example.com:3478', 'turns:[2001:db8::1]:443?transport=tcp'),
  login: fc.option(fc.record({ username: text, credential: text })),
});

test('parseIceServerLinks returns the servers that formatIceServerLinks formatted, for any password', () =>
  fc.assert(
    fc.property(fc.array(server, { maxLength: 8 }), (servers) => {
      expect(parseIceServerLinks(formatIceServerLinks(servers))).toEqual(
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
])('parseIceServerLinks reads from the header %j the servers %j', (header, servers) =>
  expect(parseIceServerLinks(header)).toEqual(servers),
);

test('parseIceServerLinks accepts any text, returns at most 8 servers, and none for a header that is too long', () => {
  fc.assert(fc.property(fc.string(), (header) => void parseIceServerLinks(`<stun:a>;${header}`)));
  const firstLink = '<stun:a.example>; rel="ice-server"';
  expect(parseIceServerLinks(Array.from({ length: 20 }, () => firstLink).join(', '))).toHaveLength(8);
  expect(parseIceServerLinks(Array.from({ length: 1_000 }, () => firstLink).join(', '))).toEqual([]);
});
