/**
 * Address of the client: the last entry of X-Forwarded-For, which the proxy in front appended. Without a
 * proxy Next fills the header with the socket's address, but only when the client sent none: limits by
 * address hold against the clumsy; those by account and by key hold against everybody.
 */
export function clientAddress(headers: Headers): string {
  const last = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim().slice(0, 64);
  // IPv4 on a socket that listens on IPv6 too.
  return last?.replace(/^::ffff:(?=\d+\.)/i, '') ?? 'unknown';
}
