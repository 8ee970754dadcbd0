/**
 * What limits by address count: an IPv4 address, or the /64 network of an IPv6 address. One household or server has a
 * whole /64, so a limit for each of its addresses would be none.
 */
export function clientNetwork(address: string): string {
  if (!/^[0-9a-f]*:[0-9a-f:]*:[0-9a-f]*$/i.test(address)) return address;
  const [head = '', tail = ''] = address.split('::', 2);
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

const groupsOf = (text: string): string[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16));
