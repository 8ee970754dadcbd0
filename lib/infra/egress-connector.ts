import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { EgressDenied } from './egress-error';
import { drainPausedParser } from './egress-paused-parser';
import type { createEgressPolicy } from './egress-policy';
import type { Resolve } from './resolve';

type EgressPolicy = ReturnType<typeof createEgressPolicy>;

/** Connect and TLS handshake together. */
const connectMs = 5_000;

/**
 * Connects only to allowed addresses. A name is resolved once per connection, every address of it is checked,
 * and the socket uses exactly these addresses, so that a later DNS answer (rebinding) has no effect.
 */
export function createEgressConnector(policy: EgressPolicy, resolve: Resolve): buildConnector.connector {
  const lookup = judgedLookup(policy, resolve);
  const connect = buildConnector({ lookup, timeout: connectMs, allowH2: false, maxCachedSessions: 0 });
  return (options, callback) => {
    const connected: typeof callback = (...[error, socket]) => {
      if (error) callback(error, null);
      else {
        drainPausedParser(socket);
        callback(null, socket);
      }
    };
    void policy.refresh().then(() => {
      // The look-up is not asked about literal addresses.
      if (!policy.allowsHost(options.hostname)) {
        callback(new EgressDenied(options.hostname), null);
        return;
      }
      try {
        connect(options, connected);
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), null);
      }
    });
  };
}

/** A DNS lookup that fails when the name resolves to an address that the policy does not allow. */
export function judgedLookup(policy: EgressPolicy, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    judged(policy, resolve, hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), '', 0),
    );
  };
}

/** @throws EgressDenied when any address of the name may not be called: a mixed answer is an attack or a mistake */
async function judged(
  policy: EgressPolicy,
  resolve: Resolve,
  hostname: string,
): Promise<readonly [LookupAddress, ...LookupAddress[]]> {
  const [first, ...rest] = await resolve(hostname);
  if (!first) throw new EgressDenied(`${hostname} has no address`);
  const bad = [first, ...rest].find(({ address }) => isIP(address) === 0 || !policy.allowsAddress(address));
  if (bad) throw new EgressDenied(`${hostname} is ${bad.address}`);
  return [first, ...rest];
}
