const localV4Patterns = [
  /^(?:0|10|127)\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^169\.254\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^192\.168\./,
];
const localV6Pattern = /^(?:::1?$|f[cd]|fe[89ab])/;

/** Whether an IP address can only be reached from its own network: private, link-local, loopback or shared (RFC 6598). */
export function isLocalAddress(address: string): boolean {
  // A socket for both kinds of IP shows an IPv4 address as a part of an IPv6 address.
  const text = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  return text.includes(':')
    ? localV6Pattern.test(text)
    : localV4Patterns.some((pattern) => pattern.test(text));
}
