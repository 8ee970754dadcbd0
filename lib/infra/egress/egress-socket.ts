import { isIP, connect, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createCheckedLookup } from './egress-connector';
import { EgressDeniedError, toEgressError, unreachableError } from './egress-error';
import { createEgressPolicy } from './egress-policy';
import { type Resolve, createOwnAddresses, systemResolve } from './own-addresses';
import { within } from '../within';

/** Non-HTTP connections to addresses that a team chose. */
export interface EgressSockets {
  /**
   * Connects to a host, with a TLS handshake if requested. The certificate must be valid for the host.
   * @throws EgressError also after the timeout
   */
  connect(address: EgressAddress, options: { readonly timeoutMs: number }): Promise<Socket>;
  /**
   * Resolves a host to an allowed address, for a program that makes its own connections. The program must get this address
   * instead of the name.
   * @throws EgressError also after the timeout
   */
  resolve(host: string, options: { readonly timeoutMs: number }): Promise<string>;
}

export interface EgressAddress {
  /** Host as returned by `new URL`. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

export function openEgressSockets(options: {
  readonly allowCidrs: readonly string[];
  /** Names of this service (`publicHosts`), which are denied. */
  readonly ownHosts?: readonly string[];
  /** Resolver of tests; by default the resolver of the machine. */
  readonly resolve?: Resolve;
}): EgressSockets {
  const { allowCidrs, ownHosts = [], resolve = systemResolve } = options;
  const policy = createEgressPolicy(allowCidrs, createOwnAddresses({ hosts: ownHosts, resolve }));
  const lookup = createCheckedLookup(policy, resolve);
  const requireAllowedHost = async (host: string) => {
    await policy.refresh();
    // Literal addresses bypass the DNS lookup, so they are checked here.
    if (!policy.allowsHost(host)) throw unreachableError(new EgressDeniedError(host));
  };
  return {
    async connect(address, { timeoutMs }) {
      await requireAllowedHost(address.host);
      return waitForConnection(
        openSocket(address, lookup),
        address.tls ? 'secureConnect' : 'connect',
        timeoutMs,
      );
    },
    async resolve(host, { timeoutMs }) {
      await requireAllowedHost(host);
      const literal = host.replace(/^\[|\]$/g, '');
      if (isIP(literal) !== 0) return literal;
      const resolution = new Promise<string>((fulfill, reject) => {
        lookup(host, { all: false }, (error, address) => {
          if (error) reject(error);
          else fulfill(typeof address === 'string' ? address : (address[0]?.address ?? ''));
        });
      });
      return within(timeoutMs, resolution).catch((error: unknown) => {
        throw toEgressError(error);
      });
    },
  };
}

function openSocket({ host, port, tls }: EgressAddress, lookup: LookupFunction): Socket {
  const hostWithoutBrackets = host.replace(/^\[|\]$/g, '');
  const socketOptions = { host: hostWithoutBrackets, port, lookup };
  if (!tls) return connect(socketOptions);
  return connectTls({
    ...socketOptions,
    ...(isIP(hostWithoutBrackets) === 0 ? { servername: hostWithoutBrackets } : {}),
  });
}

function waitForConnection(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  timeoutMs: number,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      clearTimeout(timer);
      socket.destroy();
      reject(toEgressError(error));
    };
    const timer = setTimeout(() => fail(unreachableError(new Error('timed out'))), timeoutMs);
    socket.once('error', fail);
    socket.once(event, () => {
      clearTimeout(timer);
      socket.off('error', fail);
      // An error before the caller listens must not end the process. The caller sees that the socket is closed.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}
