/** IPv4 blocks of RFC 6890: this network, private use, loopback, shared (100.64.0.0/10) and link-local addresses. */
const localV4Patterns = [
  /^(?:0|10|127)\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^169\.254\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^192\.168\./,
];
/** IPv6: unspecified and loopback, unique local (fc00::/7) and link-local addresses (fe80::/10). */
const localV6Pattern = /^(?:::1?$|f[cd]|fe[89ab])/;

/** Whether an IP address can only be reached from its own network: private, link-local, loopback or shared (RFC 6598). */
export function isLocalAddress(address: string): boolean {
  // A dual-stack socket reports an IPv4 address as an IPv4-mapped IPv6 address.
  const text = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  return text.includes(':')
    ? localV6Pattern.test(text)
    : localV4Patterns.some((pattern) => pattern.test(text));
}
