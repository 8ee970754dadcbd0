import { isIP } from 'node:net';
import { addressList } from './address-list';
import { ownAddresses, type OwnAddresses } from './own-addresses';

/** Which addresses the service may call on behalf of an account. */
interface EgressPolicy {
  /** For literal addresses and for what a name resolved to. @param address without brackets */
  allowsAddress(address: string): boolean;
  /**
   * For a host as `new URL` gives it: literal addresses and names that are local wherever they are resolved.
   * Any other name passes here; the addresses behind it are judged when it is called.
   */
  allowsHost(hostname: string): boolean;
  /** Brings what is known of our own addresses up to date; to be awaited before a call is judged. */
  refresh(): Promise<void>;
}

/** Special-purpose ranges of IANA's registry that are no public host, and Azure's host-only server. */
const closedV4 = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12',
  '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16',
  '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4',
  '168.63.129.16/32',
]; // prettier-ignore
/** Of IPv6 only 2000::/3 is handed out at all; inside it these are no public hosts, or hide an IPv4 address. */
const globalV6 = ['2000::/3'];
const closedV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const localSuffixes = ['.localhost', '.local', '.internal', '.home.arpa'];
const loopback = ['127.0.0.1', '::1'];

/**
 * @param allowCidrs ranges that the operator opened (EGRESS_ALLOW_CIDRS), validated by lib/infra/env.ts
 * @param own where the service itself answers: closed as well, though some of it is public
 */
export function createEgressPolicy(
  allowCidrs: readonly string[],
  own: OwnAddresses = ownAddresses(),
): EgressPolicy {
  const isOpened = addressList(allowCidrs);
  const isClosed = addressList([...closedV4, ...closedV6]);
  const isGlobal = addressList(globalV6);
  const allowsAddress = (address: string): boolean => {
    const version = isIP(address);
    if (version === 0) return false;
    if (isOpened(address)) return true;
    return !isClosed(address) && !own.includes(address) && (version === 4 || isGlobal(address));
  };
  return {
    refresh: () => own.refresh(),
    allowsAddress,
    allowsHost(hostname) {
      const host = hostname
        .replace(/^\[|\]$/g, '')
        .replace(/\.$/, '')
        .toLowerCase();
      if (isIP(host) !== 0) return allowsAddress(host);
      // RFC 6761: these names are the loopback interface.
      if (host === 'localhost' || host.endsWith('.localhost')) return loopback.some(allowsAddress);
      const local = !host.includes('.') || localSuffixes.some((suffix) => host.endsWith(suffix));
      return !local || allowCidrs.length > 0;
    },
  };
}
