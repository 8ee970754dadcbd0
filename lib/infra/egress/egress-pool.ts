import { Client, type buildConnector } from 'undici';

/** Shorter than the idle timeout of most servers, which is 5 s or more. */
const IDLE_TIMEOUT_MS = 4_000;
/** A host name may move to another server, so connections don't live forever. */
const MAX_LIFETIME_MS = 60_000;
/** Maximum idle connections in total. */
const MAX_IDLE_CONNECTIONS = 256;

/** A connection to one origin, for consecutive calls. It is opened by its first call, and opened again if the server closed it. */
export interface PooledConnection {
  readonly client: Client;
  /** Key of the calls that may reuse the connection; null for a single call. */
  readonly key: string | null;
  /** Remote address of the current connection. */
  remoteAddress: string | undefined;
  /** Number of connections opened so far. */
  openCount: number;
  /** Open time of the newest connection, in monotonic milliseconds. */
  openedAt: number;
}

interface IdleConnection {
  readonly connection: PooledConnection;
  readonly timer: NodeJS.Timeout;
}

/** Shared instance, because undici would create an error with a stack trace per closed connection. */
const closedByPool = new Error('connection closed by the pool');

/** Pool of the process's outbound connections, in use or idle. */
export class ConnectionPool {
  readonly #connect: buildConnector.connector;
  readonly #connections = new Set<PooledConnection>();
  /** Idle connections by key, the one released last at the end. */
  readonly #idleByKey = new Map<string, IdleConnection[]>();
  #idleCount = 0;

  /** @param connect connector that checks each connection against the egress policy */
  constructor(connect: buildConnector.connector) {
    this.#connect = connect;
  }

  /**
   * Takes an idle connection with this key, or creates one.
   * @param key key of the calls that may use the connection one after the other; null for a single call
   */
  takeConnection(origin: string, key: string | null): PooledConnection {
    const idleOfKey = key === null ? undefined : this.#idleByKey.get(key);
    for (let idle = idleOfKey?.pop(); idle; idle = idleOfKey?.pop()) {
      this.#remove(idle);
      if (performance.now() - idle.connection.openedAt < MAX_LIFETIME_MS) return idle.connection;
      this.destroy(idle.connection);
    }
    return this.create(origin, key);
  }

  /** Creates a connection that its first call will open. */
  create(origin: string, key: string | null): PooledConnection {
    const connect: buildConnector.connector = (options, callback) => {
      this.#connect(options, (...result) => {
        const [, socket] = result;
        connection.remoteAddress = socket?.remoteAddress;
        connection.openCount += 1;
        connection.openedAt = performance.now();
        callback(...result);
      });
    };
    // undici sends `Connection: close` with 0, and keeps the connection open for one request at a time with 1.
    const pipelining = key === null ? 0 : 1;
    const client = new Client(origin, { connect, pipelining, maxHeaderSize: 16_384 });
    const connection: PooledConnection = {
      client,
      key,
      remoteAddress: undefined,
      openCount: 0,
      openedAt: performance.now(),
    };
    this.#connections.add(connection);
    return connection;
  }

  /** Returns a connection whose response was read to its end, for another call with the same key. */
  release(connection: PooledConnection): void {
    const { key } = connection;
    if (key === null || this.#idleCount >= MAX_IDLE_CONNECTIONS) {
      this.destroy(connection);
      return;
    }
    const idle: IdleConnection = {
      connection,
      timer: setTimeout(() => this.#expire(key, idle), IDLE_TIMEOUT_MS),
    };
    const idleOfKey = this.#idleByKey.get(key) ?? [];
    idleOfKey.push(idle);
    this.#idleByKey.set(key, idleOfKey);
    this.#idleCount += 1;
  }

  /** Closes a connection, even during a call. */
  destroy(connection: PooledConnection): void {
    this.#connections.delete(connection);
    void connection.client.destroy(closedByPool);
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    for (const { timer } of [...this.#idleByKey.values()].flat()) clearTimeout(timer);
    this.#idleByKey.clear();
    this.#idleCount = 0;
    await Promise.all([...this.#connections].map(({ client }) => client.destroy()));
    this.#connections.clear();
  }

  #remove({ timer, connection: { key } }: IdleConnection): void {
    clearTimeout(timer);
    this.#idleCount -= 1;
    if (key !== null && this.#idleByKey.get(key)?.length === 0) this.#idleByKey.delete(key);
  }

  #expire(key: string, idle: IdleConnection): void {
    const idleOfKey = this.#idleByKey.get(key) ?? [];
    const index = idleOfKey.indexOf(idle);
    if (index < 0) return;
    idleOfKey.splice(index, 1);
    this.#remove(idle);
    this.destroy(idle.connection);
  }
}
