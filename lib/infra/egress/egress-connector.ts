import type { LookupAddress } from 'node:dns';
import { type LookupFunction, type Socket, isIP } from 'node:net';
import { buildConnector } from 'undici';
import type { createEgressPolicy } from './egress-policy';
import { EgressDeniedError } from './egress-error';
import type { Resolve } from './own-addresses';

/** The members that this file uses of the HTTP parser that undici attaches to a socket. */
interface UndiciParser {
  readonly paused: boolean;
  shouldKeepAlive: boolean;
  resume(): void;
}

/** Upper limit of parser steps. No buffered data needs as many, even in the smallest steps. */
const MAX_PARSER_STEPS = 10_000;

/**
 * Works around a crash: undici 7 throws an uncatchable error when a connection ends while the reader of its body is slower
 * than the network (nodejs/undici#5360; fixed in version 8, which needs Node 22). Like version 8, this function passes all
 * received bytes to the reader first. Must be called before undici listens to the socket.
 */
function drainPausedParser(socket: Socket): void {
  const drain = () => {
    const parser = parserOf(socket);
    if (!parser) return;
    for (let step = 0; parser.paused && !socket.destroyed && step < MAX_PARSER_STEPS; step++) parser.resume();
    // The rest cannot be read. With `shouldKeepAlive`, undici ends the body with an error instead of as complete.
    if (parser.paused) parser.shouldKeepAlive = true;
  };
  for (const event of ['end', 'error', 'close']) socket.on(event, drain);
}

function parserOf(socket: Socket): UndiciParser | null {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  return symbol ? (Reflect.get(socket, symbol) as UndiciParser | null) : null;
}

type EgressPolicy = ReturnType<typeof createEgressPolicy>;

/** Timeout of connection and TLS handshake together. */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Creates a connector for allowed addresses. A name is resolved once per connection, every address of it is checked, and
 * the socket uses exactly these addresses, so that a later DNS answer (rebinding) has no effect.
 */
export function createEgressConnector(policy: EgressPolicy, resolve: Resolve): buildConnector.connector {
  const lookup = createCheckedLookup(policy, resolve);
  const connect = buildConnector({
    lookup,
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    maxCachedSessions: 0,
  });
  return (options, callback) => {
    const onConnect: typeof callback = (...[error, socket]) => {
      if (error) callback(error, null);
      else {
        drainPausedParser(socket);
        callback(null, socket);
      }
    };
    void policy.refresh().then(() => {
      // Literal addresses bypass the DNS lookup, so they are checked here.
      if (!policy.allowsHost(options.hostname)) {
        callback(new EgressDeniedError(options.hostname), null);
        return;
      }
      try {
        connect(options, onConnect);
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), null);
      }
    });
  };
}

/** A DNS lookup that fails if the name resolves to an address that the policy does not allow. */
export function createCheckedLookup(policy: EgressPolicy, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolveAllowed(policy, resolve, hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), '', 0),
    );
  };
}

/**
 * Resolves a name to all its addresses, at least one.
 * @throws EgressDeniedError if any of them is denied, because a mix of allowed and denied addresses is an attack or a mistake
 */
async function resolveAllowed(
  policy: EgressPolicy,
  resolve: Resolve,
  hostname: string,
): Promise<readonly [LookupAddress, ...LookupAddress[]]> {
  const [first, ...otherAddresses] = await resolve(hostname);
  if (!first) throw new EgressDeniedError(`${hostname} has no address`);
  const deniedAddress = [first, ...otherAddresses].find(
    ({ address }) => isIP(address) === 0 || !policy.allowsAddress(address),
  );
  if (deniedAddress) throw new EgressDeniedError(`${hostname} is ${deniedAddress.address}`);
  return [first, ...otherAddresses];
}
