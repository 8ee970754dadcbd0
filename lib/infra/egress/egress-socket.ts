import { isIP, connect, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { checkedLookup } from './egress-connector';
import { EgressDenied, toEgressError, unreachable } from './egress-redirect';
import { createEgressPolicy } from './egress-policy';
import { type Resolve, ownAddresses, systemResolve } from './own-addresses';

/** Non-HTTP connections to addresses chosen by an account. */
export interface EgressSockets {
  /**
   * A connection, and its TLS handshake if any: the certificate must be valid for the name.
   * @throws EgressError
   */
  connect(address: EgressAddress, options: { readonly timeoutMs: number }): Promise<Socket>;
  /**
   * A checked address of the name, for a program that makes its own connections: give it this, not the name.
   * @throws EgressError
   */
  resolve(host: string): Promise<string>;
}

export interface EgressAddress {
  /** Host as `new URL` returns it. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

export function openEgressSockets(options: {
  readonly allowCidrs: readonly string[];
  /** Names of this service (`publicHosts`), which are closed, too. */
  readonly ownHosts?: readonly string[];
  /** Another resolver, for tests. */
  readonly resolve?: Resolve;
}): EgressSockets {
  const { allowCidrs, ownHosts = [], resolve = systemResolve } = options;
  const policy = createEgressPolicy(allowCidrs, ownAddresses({ hosts: ownHosts, resolve }));
  const lookup = checkedLookup(policy, resolve);
  const judge = async (host: string) => {
    await policy.refresh();
    // The look-up is not asked about literal addresses.
    if (!policy.allowsHost(host)) throw unreachable(new EgressDenied(host));
  };
  return {
    async connect(address, { timeoutMs }) {
      await judge(address.host);
      return connectionOf(open(address, lookup), address.tls ? 'secureConnect' : 'connect', timeoutMs);
    },
    async resolve(host) {
      await judge(host);
      const literal = host.replace(/^\[|\]$/g, '');
      if (isIP(literal) !== 0) return literal;
      return new Promise((resolve, reject) => {
        lookup(host, { all: false }, (error, address) => {
          if (error) reject(toEgressError(error));
          else resolve(typeof address === 'string' ? address : (address[0]?.address ?? ''));
        });
      });
    },
  };
}

function open({ host, port, tls }: EgressAddress, lookup: LookupFunction): Socket {
  const bare = host.replace(/^\[|\]$/g, '');
  const socketOptions = { host: bare, port, lookup };
  if (!tls) return connect(socketOptions);
  return connectTls({ ...socketOptions, ...(isIP(bare) === 0 ? { servername: bare } : {}) });
}

function connectionOf(
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
    const timer = setTimeout(() => fail(unreachable(new Error('time-out'))), timeoutMs);
    socket.once('error', fail);
    socket.once(event, () => {
      clearTimeout(timer);
      socket.off('error', fail);
      // An error before its owner listens is an end like any other, and none of the process.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}
