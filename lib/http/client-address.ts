/**
 * Address of the client. Next puts the socket's address into X-Forwarded-For; a proxy in front appends the
 * one it saw. The last entry is therefore the only one a client cannot write itself.
 */
export function clientAddress(headers: Headers): string {
  const last = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim().slice(0, 64);
  // IPv4 on a socket that listens on IPv6 too.
  return last?.replace(/^::ffff:(?=\d+\.)/i, '') ?? 'unknown';
}
