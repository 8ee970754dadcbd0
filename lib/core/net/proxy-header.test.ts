import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress } from '@/lib/infra/egress/ip-address';
import { MAX_PROXY_HEADER_BYTES, readProxyHeader, type ProxyHeader } from './proxy-header';

const SIGNATURE = '0d0a0d0a000d0a515549540a';
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');
/** @param text version and command, family, length and addresses, in hexadecimal */
const binaryHeader = (text: string): Buffer => Buffer.from(SIGNATURE + text.replaceAll(' ', ''), 'hex');
const ipVersion = (text: string): number => {
  const address = parseAddress(text);
  if (!address) return 0;
  return address.kind() === 'ipv4' ? 4 : 6;
};
const parse = (start: Buffer): ProxyHeader => readProxyHeader(start, ipVersion);

/** Source address, destination address, source port and destination port, in hexadecimal. */
const ipv4 = 'c0000201 c6336407 d903 078f';
const ipv6 = '20010db8000000000000000000000001 20010db8000000000000000000000002 d903 078f';

describe('complete header', () => {
  it.each<[string, Buffer, string | null]>([
    ['version 1, IPv4', bytesOf('PROXY TCP4 192.0.2.1 198.51.100.7 55555 1935\r\n'), '192.0.2.1'],
    ['version 1, IPv6', bytesOf('PROXY TCP6 2001:db8::1 2001:db8::2 55555 0\r\n'), '2001:db8::1'],
    ['version 1, IPv4-mapped', bytesOf('PROXY TCP6 ::ffff:192.0.2.1 ::1 1 65535\r\n'), '::ffff:192.0.2.1'],
    ['version 1, unknown', bytesOf('PROXY UNKNOWN\r\n'), null],
    ['version 1, unknown with addresses', bytesOf(`PROXY UNKNOWN ${'f'.repeat(91)}\r\n`), null],
    ['version 2, IPv4', binaryHeader(`21 11 000c ${ipv4}`), '192.0.2.1'],
    ['version 2, IPv6', binaryHeader(`21 21 0024 ${ipv6}`), '2001:db8:0:0:0:0:0:1'],
    ['version 2 with extensions', binaryHeader(`21 11 0013 ${ipv4} 03 0004 a1b2c3d4`), '192.0.2.1'],
    ['version 2, local', binaryHeader('20 00 0000'), null],
    ['version 2, local with addresses', binaryHeader(`20 11 000c ${ipv4}`), null],
    ['version 2, local of an unknown family', binaryHeader('20 99 0002 ffff'), null],
    ['version 2, unspecified', binaryHeader('21 00 0000'), null],
    ['version 2, UDP', binaryHeader(`21 12 000c ${ipv4}`), null],
    ['version 2, Unix socket', binaryHeader(`21 31 00d8 ${'00'.repeat(216)}`), null],
    ['version 2, maximum length', binaryHeader(`21 11 0208 ${ipv4} ${'00'.repeat(508)}`), '192.0.2.1'],
  ])(
    '%s is parsed with and without data after it, and is incomplete before its last byte',
    (_name, header, client) => {
      const expected = { kind: 'header', bytes: header.length, client };
      expect(parse(header)).toEqual(expected);
      expect(parse(Buffer.concat([header, bytesOf('\x03PROXY TCP4 \r\n')]))).toEqual(expected);
      for (let length = 0; length < header.length; length += 1)
        expect(parse(header.subarray(0, length))).toEqual({ kind: 'incomplete' });
    },
  );
});

describe('invalid header', () => {
  it.each([
    'PROXY\x20\r\n',
    'PROXY TCP4\r\n',
    'PROXY TCP5 192.0.2.1 198.51.100.7 1 2\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.7 1\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.7 1 2 3\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.7 1 2\n',
    'PROXY TCP4 192.0.2.1  198.51.100.7 1 2\r\n',
    'PROXY TCP4 192.0.2.256 198.51.100.7 1 2\r\n',
    'PROXY TCP4 2001:db8::1 2001:db8::2 1 2\r\n',
    'PROXY TCP6 192.0.2.1 198.51.100.7 1 2\r\n',
    'PROXY TCP6 2001:db8::1 2001:db8::zz 1 2\r\n',
    'PROXY TCP6 fe80::1%eth0 2001:db8::2 1 2\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.7 65536 2\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.7 01 2\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.7 -1 2\r\n',
    'PROXY UNKNOWNS\r\n',
    'PROXY / HTTP/1.1\r\n',
    `PROXY UNKNOWN ${'f'.repeat(92)}\r\n`,
    'PROXY '.padEnd(107, '1'),
  ])('of version 1 is rejected: %j', (text) => {
    expect(parse(bytesOf(text))).toEqual({ kind: 'invalid' });
  });

  it.each([
    ['the version number 1', '11 11 000c'],
    ['an unknown command', '22 11 000c'],
    ['an unknown family', '21 41 000c'],
    ['an unknown transport', '21 13 000c'],
    ['a length too short for IPv4', '21 11 000b'],
    ['a length too short for IPv6', '21 21 0023'],
    ['a length of 521 bytes', '21 11 0209'],
    ['a length of 65,535 bytes', '20 00 ffff'],
  ])('of version 2 with %s is rejected before its addresses arrive', (_name, fixedPart) => {
    expect(parse(binaryHeader(fixedPart))).toEqual({ kind: 'invalid' });
  });
});

it.each(['\x03', 'GET / HTTP/1.1\r\n', 'POST /', 'PROXI', 'PROXY\r\n', '\r\n\r\nGET', '\r\nP'])(
  'a connection that starts with %j has no header',
  (text) => {
    expect(parse(bytesOf(text))).toEqual({ kind: 'absent' });
  },
);

describe('any input', () => {
  const start = fc.oneof(
    fc.constant(Buffer.alloc(0)),
    fc.constant(bytesOf('PROXY ')),
    fc.constant(bytesOf('PROXY TCP4 192.0.2.1 ')),
    fc.constant(binaryHeader('')),
    fc.constant(binaryHeader('2111')),
    fc.constant(binaryHeader(`2121 0024 ${ipv6}`)),
  );
  const anyBytes = fc
    .tuple(start, fc.uint8Array({ maxLength: 700 }))
    .map(([head, tail]) => Buffer.concat([head, tail]));

  it('is never incomplete at the maximum length, and has a valid address or none', () => {
    fc.assert(
      fc.property(anyBytes, (sentBytes) => {
        const header = parse(sentBytes);
        if (sentBytes.length >= MAX_PROXY_HEADER_BYTES) expect(header.kind).not.toBe('incomplete');
        if (header.kind !== 'header') return;
        expect(header.bytes).toBeLessThanOrEqual(Math.min(sentBytes.length, MAX_PROXY_HEADER_BYTES));
        if (header.client !== null) expect(ipVersion(header.client)).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gets the same result when more data arrives', () => {
    fc.assert(
      fc.property(anyBytes, fc.nat(700), (sentBytes, cut) => {
        const early = parse(sentBytes.subarray(0, cut));
        if (early.kind !== 'incomplete') expect(parse(sentBytes)).toEqual(early);
      }),
      { numRuns: 2_000 },
    );
  });
});
