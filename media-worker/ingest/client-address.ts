/** An address without the IPv4-in-IPv6 prefix that dual-stack sockets put before it. */
export function clientAddress(remoteAddress: string): string {
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(remoteAddress) ? remoteAddress.slice(7) : remoteAddress;
}

/** What a limit counts as one client: an IPv4 address, or the /64 that one IPv6 customer owns as a whole. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address;
  const [withoutZone = ''] = address.toLowerCase().split('%');
  const [head = '', tail] = withoutZone.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
