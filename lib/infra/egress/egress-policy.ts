import { createRangeTest, parseAddress } from './ip-address';
import { createOwnAddresses, type OwnAddresses } from './own-addresses';

/** Addresses that the service may call on behalf of a team. */
interface EgressPolicy {
  /**
   * Whether an address may be called.
   * @param address literal or resolved address, without brackets
   */
  allowsAddress(address: string): boolean;
  /**
   * Whether a host, as `new URL` returns it, may be called. Literal addresses are checked, and local names are denied unless
   * the operator allows any range. Any other name is allowed, because its addresses are checked on connection.
   */
  allowsHost(hostname: string): boolean;
  /** Refreshes the service's own addresses. Must be awaited before a call is checked. */
  refresh(): Promise<void>;
}

/** Platform address inside Azure virtual machines, which serves their guest agent. */
const azureHostServerRange = '168.63.129.16/32';
/** The IPv6 range of public hosts (RFC 4291 §2.4). */
const globalIpv6Range = '2000::/3';

/** Suffixes of names that are not public: RFC 6761, 6762, 8375 and the private-use `.internal`. */
const localSuffixes = ['.localhost', '.local', '.internal', '.home.arpa'];
const loopbackAddresses = ['127.0.0.1', '::1'];

/**
 * Creates the policy of a process.
 * @param allowCidrs ranges that the operator allows (EGRESS_ALLOW_CIDRS), validated by lib/infra/env.ts
 * @param ownAddresses addresses of the service, which are denied even if they are public
 */
export function createEgressPolicy(
  allowCidrs: readonly string[],
  ownAddresses: OwnAddresses = createOwnAddresses(),
): EgressPolicy {
  const isAllowedByOperator = createRangeTest(allowCidrs);
  const isAzureHostServer = createRangeTest([azureHostServerRange]);
  const isGlobalIpv6 = createRangeTest([globalIpv6Range]);
  const allowsAddress = (addressText: string): boolean => {
    if (isAllowedByOperator(addressText)) return true;
    // ipaddr.js names the special-purpose ranges, including those that embed an IPv4 address.
    const address = parseAddress(addressText);
    if (
      address?.range() !== 'unicast' ||
      isAzureHostServer(addressText) ||
      ownAddresses.includes(addressText)
    )
      return false;
    return address.kind() === 'ipv4' || isGlobalIpv6(addressText);
  };
  return {
    refresh: () => ownAddresses.refresh(),
    allowsAddress,
    allowsHost(hostname) {
      const host = hostname
        .replace(/^\[|\]$/g, '')
        .replace(/\.$/, '')
        .toLowerCase();
      if (parseAddress(host)) return allowsAddress(host);
      // RFC 6761: these names are the loopback interface.
      if (host === 'localhost' || host.endsWith('.localhost')) return loopbackAddresses.some(allowsAddress);
      const isLocalName = !host.includes('.') || localSuffixes.some((suffix) => host.endsWith(suffix));
      return !isLocalName || allowCidrs.length > 0;
    },
  };
}
