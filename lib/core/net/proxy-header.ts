/** The PROXY protocol: https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt */

export type ProxyHeader =
  | {
      readonly kind: 'header';
      /** Length of the header in bytes. */
      readonly bytes: number;
      /** IP address of the client; null if the header names no TCP client. */
      readonly client: string | null;
    }
  | { readonly kind: 'absent' | 'incomplete' | 'invalid' };

/**
 * Maximum length of a header. Headers have at most 107 bytes in version 1, and rarely more than 100 in version 2. 536 bytes are
 * the default maximum segment size of TCP over IPv4 (RFC 9293 §3.7.1), so a header of this length fits into one segment.
 */
export const MAX_PROXY_HEADER_BYTES = 536;
/** Maximum length of a header of version 1, which is text. */
const MAX_TEXT_BYTES = 107;

const TEXT_START = Uint8Array.from('PROXY ', (letter) => letter.charCodeAt(0));
const BINARY_START = Uint8Array.of(0x0d, 0x0a, 0x0d, 0x0a, 0, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a);
/** Length of the fixed part of a header of version 2: signature, command, family and length. */
const BINARY_FIXED_BYTES = 16;
const LINE_FEED = 0x0a;

const textHeader =
  /^PROXY (?:UNKNOWN(?: .*)?|(TCP[46]) ([\da-fA-F.:]+) ([\da-fA-F.:]+) (0|[1-9]\d{0,4}) (0|[1-9]\d{0,4}))\r\n$/;

const absent = { kind: 'absent' } as const;
const incomplete = { kind: 'incomplete' } as const;
const invalid = { kind: 'invalid' } as const;

/**
 * Parses the PROXY header, version 1 or 2, at the start of a connection. A header without a TCP client (LOCAL, UNKNOWN, Unix
 * sockets, UDP) is valid and has no client.
 * @param start all bytes received so far
 * @param ipVersion returns 4 or 6 for an IP address, 0 for any other text
 */
export function readProxyHeader(start: Uint8Array, ipVersion: (text: string) => number): ProxyHeader {
  if (matchesPrefix(start, TEXT_START))
    return start.length < TEXT_START.length ? incomplete : readTextHeader(start, ipVersion);
  if (!matchesPrefix(start, BINARY_START)) return absent;
  return start.length < BINARY_START.length ? incomplete : readBinaryHeader(start);
}

/** Whether the bytes start with the expected bytes, as far as they have been received. */
function matchesPrefix(bytes: Uint8Array, expected: Uint8Array): boolean {
  return expected.every((byte, index) => index >= bytes.length || bytes[index] === byte);
}

function readTextHeader(start: Uint8Array, ipVersion: (text: string) => number): ProxyHeader {
  const lineFeedIndex = start.subarray(0, MAX_TEXT_BYTES).indexOf(LINE_FEED);
  if (lineFeedIndex === -1) return start.length < MAX_TEXT_BYTES ? incomplete : invalid;
  const [line, family, source = '', destination = '', ...ports] =
    textHeader.exec(String.fromCharCode(...start.subarray(0, lineFeedIndex + 1))) ?? [];
  if (line === undefined) return invalid;
  if (family === undefined) return { kind: 'header', bytes: lineFeedIndex + 1, client: null };
  const version = family === 'TCP4' ? 4 : 6;
  if ([source, destination].some((address) => ipVersion(address) !== version)) return invalid;
  if (ports.some((port) => Number(port) > 65_535)) return invalid;
  return { kind: 'header', bytes: lineFeedIndex + 1, client: source };
}

function readBinaryHeader(start: Uint8Array): ProxyHeader {
  const [command = 0, family = 0, high = 0, low = 0] = start.subarray(
    BINARY_START.length,
    BINARY_FIXED_BYTES,
  );
  if (start.length < BINARY_FIXED_BYTES) return incomplete;
  const bytes = BINARY_FIXED_BYTES + high * 256 + low;
  if (bytes > MAX_PROXY_HEADER_BYTES || (command !== LOCAL_COMMAND && command !== PROXY_COMMAND))
    return invalid;
  const addresses = addressBytes[family];
  if (command === PROXY_COMMAND && (addresses === undefined || BINARY_FIXED_BYTES + addresses > bytes))
    return invalid;
  if (start.length < bytes) return incomplete;
  const client =
    command === LOCAL_COMMAND ? null : readSourceAddress(family, start.subarray(BINARY_FIXED_BYTES));
  return { kind: 'header', bytes, client };
}

/** Values of the byte with the version (2) and the command. */
const LOCAL_COMMAND = 0x20;
const PROXY_COMMAND = 0x21;
/** Values of the byte with the address family and the transport. */
const TCP4 = 0x11;
const TCP6 = 0x21;
const UDP4 = 0x12;
const UDP6 = 0x22;
const UNIX_STREAM = 0x31;
const UNIX_DATAGRAM = 0x32;

/** Bytes of both addresses and ports by family and transport, 0x00 for unspecified ones; extensions may follow. */
const addressBytes: Readonly<Record<number, number>> = {
  0x00: 0,
  [TCP4]: 12,
  [UDP4]: 12,
  [TCP6]: 36,
  [UDP6]: 36,
  [UNIX_STREAM]: 216,
  [UNIX_DATAGRAM]: 216,
};

function readSourceAddress(family: number, addresses: Uint8Array): string | null {
  if (family === TCP4) return addresses.subarray(0, 4).join('.');
  if (family !== TCP6) return null;
  const groups = Array.from({ length: 8 }, (_, group) => {
    const [high = 0, low = 0] = addresses.subarray(2 * group, 2 * group + 2);
    return (high * 256 + low).toString(16);
  });
  return groups.join(':');
}
