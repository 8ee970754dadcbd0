import { Client, type buildConnector } from 'undici';

/** Servers close idle connections, many after 5 s: close ours first. */
const idleMs = 4_000;
/** A host name may move to another server, so connections don't live forever. */
const maxLifetimeMs = 60_000;
/** All idle connections together. */
const maxIdle = 256;

/** Carries consecutive calls to one origin on one connection, which is opened when needed. */
export interface PooledConnection {
  readonly client: Client;
  /** Key of the calls that may reuse it; null if it is for one call. */
  readonly key: string | null;
  /** Remote address of its connection. */
  address: string | undefined;
  /** Number of connections opened so far. */
  connections: number;
  /** Open time of the newest connection, in monotonic milliseconds. */
  since: number;
}

interface Idle {
  readonly line: PooledConnection;
  readonly timer: NodeJS.Timeout;
}

/** Created once: undici would create an error with a stack for each closed connection. */
const over = new Error('connection closed by the pool');

/** The connections of a process, in use or idle. */
export class ConnectionPool {
  readonly #connect: buildConnector.connector;
  readonly #open = new Set<PooledConnection>();
  readonly #idle = new Map<string, Idle[]>();
  #idleCount = 0;

  /** @param connect checks each connection against the egress policy */
  constructor(connect: buildConnector.connector) {
    this.#connect = connect;
  }

  /** Returns an unused connection. @param key of calls that may share a connection; null: this call alone */
  take(origin: string, key: string | null): PooledConnection {
    const waiting = key === null ? undefined : this.#idle.get(key);
    for (let idle = waiting?.pop(); idle; idle = waiting?.pop()) {
      this.#forget(idle);
      if (performance.now() - idle.line.since < maxLifetimeMs) return idle.line;
      this.end(idle.line);
    }
    return this.open(origin, key);
  }

  /** Returns one that is not connected yet. */
  open(origin: string, key: string | null): PooledConnection {
    const connect: buildConnector.connector = (options, callback) => {
      this.#connect(options, (...result) => {
        const [, socket] = result;
        line.address = socket?.remoteAddress;
        line.connections += 1;
        line.since = performance.now();
        callback(...result);
      });
    };
    const pipelining = key === null ? 0 : 1;
    const client = new Client(origin, { connect, pipelining, maxHeaderSize: 16_384 });
    const line: PooledConnection = {
      client,
      key,
      address: undefined,
      connections: 0,
      since: performance.now(),
    };
    this.#open.add(line);
    return line;
  }

  /** Call it after the response was read to its end: the connection waits for another call with its key. */
  release(line: PooledConnection): void {
    const { key } = line;
    if (key === null || this.#idleCount >= maxIdle) {
      this.end(line);
      return;
    }
    const idle: Idle = { line, timer: setTimeout(() => this.#expire(key, idle), idleMs) };
    const waiting = this.#idle.get(key) ?? [];
    waiting.push(idle);
    this.#idle.set(key, waiting);
    this.#idleCount += 1;
  }

  /** Closes it, even during a call. */
  end(line: PooledConnection): void {
    this.#open.delete(line);
    void line.client.destroy(over);
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    for (const { timer } of [...this.#idle.values()].flat()) clearTimeout(timer);
    this.#idle.clear();
    this.#idleCount = 0;
    await Promise.all([...this.#open].map(({ client }) => client.destroy()));
    this.#open.clear();
  }

  #forget({ timer, line: { key } }: Idle): void {
    clearTimeout(timer);
    this.#idleCount -= 1;
    if (key !== null && this.#idle.get(key)?.length === 0) this.#idle.delete(key);
  }

  #expire(key: string, idle: Idle): void {
    const waiting = this.#idle.get(key) ?? [];
    const index = waiting.indexOf(idle);
    if (index < 0) return;
    waiting.splice(index, 1);
    this.#forget(idle);
    this.end(idle.line);
  }
}
