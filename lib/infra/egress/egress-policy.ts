import { addressRanges, parseAddress } from './ip-address';
import { ownAddresses, type OwnAddresses } from './own-addresses';

/** Addresses that the service may call on behalf of a team. */
interface EgressPolicy {
  /** Checks a literal address or a resolved one. @param address without brackets */
  allowsAddress(address: string): boolean;
  /**
   * Checks a host as returned by `new URL`: literal addresses, and names that are always local. Any other name passes; its
   * addresses are checked on connection.
   */
  allowsHost(hostname: string): boolean;
  /** Refreshes the service's own addresses. Must be awaited before a call is checked. */
  refresh(): Promise<void>;
}

/** Platform address inside Azure virtual machines, which serves their guest agent. */
const azureHostServer = '168.63.129.16/32';
/** The IPv6 range of public hosts (RFC 4291 §2.4). */
const globalV6 = '2000::/3';

const localSuffixes = ['.localhost', '.local', '.internal', '.home.arpa'];
const loopback = ['127.0.0.1', '::1'];

/**
 * @param allowCidrs ranges that the operator allows (EGRESS_ALLOW_CIDRS), validated by lib/infra/env.ts
 * @param ownHosts addresses of the service, which are denied even if they are public
 */
export function createEgressPolicy(
  allowCidrs: readonly string[],
  ownHosts: OwnAddresses = ownAddresses(),
): EgressPolicy {
  const isAllowedByOperator = addressRanges(allowCidrs);
  const isDeniedService = addressRanges([azureHostServer]);
  const isGlobalV6 = addressRanges([globalV6]);
  const allowsAddress = (text: string): boolean => {
    if (isAllowedByOperator(text)) return true;
    // ipaddr.js names the special-purpose ranges, including those that embed an IPv4 address.
    const address = parseAddress(text);
    if (address?.range() !== 'unicast' || isDeniedService(text) || ownHosts.includes(text)) return false;
    return address.kind() === 'ipv4' || isGlobalV6(text);
  };
  return {
    refresh: () => ownHosts.refresh(),
    allowsAddress,
    allowsHost(hostname) {
      const host = hostname
        .replace(/^\[|\]$/g, '')
        .replace(/\.$/, '')
        .toLowerCase();
      if (parseAddress(host)) return allowsAddress(host);
      // RFC 6761: these names are the loopback interface.
      if (host === 'localhost' || host.endsWith('.localhost')) return loopback.some(allowsAddress);
      const local = !host.includes('.') || localSuffixes.some((suffix) => host.endsWith(suffix));
      return !local || allowCidrs.length > 0;
    },
  };
}
