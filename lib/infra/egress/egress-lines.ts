import { Client, type buildConnector } from 'undici';

/** A server may close an idle connection at any time, many after 5 s: ours goes first. */
const idleMs = 4_000;
/** A name may move to another server; then the old connection should not live forever. */
const longestLifeMs = 60_000;
/** Of all that wait to be used again. */
const mostIdle = 256;

/** What carries calls to one origin, one after the other: a connection, made when it is needed. */
export interface Line {
  readonly client: Client;
  /** By whom it may be used again; null when it is for one call. */
  readonly key: string | null;
  /** Whom its connection reached. */
  address: string | undefined;
  /** How many it has made so far. */
  connections: number;
  /** When the last was made, in milliseconds of the monotonic clock. */
  since: number;
}

interface Idle {
  readonly line: Line;
  readonly timer: NodeJS.Timeout;
}

/** Made once: the client would make one with a stack for each that ends. */
const over = new Error('the line is not needed any more');

/** The lines of a process, those in use and those that wait for a while to be used again. */
export class EgressLines {
  readonly #connect: buildConnector.connector;
  readonly #open = new Set<Line>();
  readonly #idle = new Map<string, Idle[]>();
  #idleCount = 0;

  /** @param connect judges each connection that it makes */
  constructor(connect: buildConnector.connector) {
    this.#connect = connect;
  }

  /** Returns an unused one. @param key of calls that may share a connection; null: this call alone */
  take(origin: string, key: string | null): Line {
    const waiting = key === null ? undefined : this.#idle.get(key);
    for (let idle = waiting?.pop(); idle; idle = waiting?.pop()) {
      this.#forget(idle);
      if (performance.now() - idle.line.since < longestLifeMs) return idle.line;
      this.end(idle.line);
    }
    return this.open(origin, key);
  }

  /** One without a connection yet. */
  open(origin: string, key: string | null): Line {
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
    const line: Line = { client, key, address: undefined, connections: 0, since: performance.now() };
    this.#open.add(line);
    return line;
  }

  /** After an answer that was read to its end: the line waits for another call of its key. */
  release(line: Line): void {
    const { key } = line;
    if (key === null || this.#idleCount >= mostIdle) {
      this.end(line);
      return;
    }
    const idle: Idle = { line, timer: setTimeout(() => this.#expire(key, idle), idleMs) };
    const waiting = this.#idle.get(key) ?? [];
    waiting.push(idle);
    this.#idle.set(key, waiting);
    this.#idleCount += 1;
  }

  /** Closes it, whatever it carries. */
  end(line: Line): void {
    this.#open.delete(line);
    void line.client.destroy(over);
  }

  /** Ends what is under way, and all that wait. */
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
