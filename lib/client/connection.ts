interface ConnectionOptions {
  /** Resolves to whether the server answers. It must not reject, and must end within some seconds. */
  readonly probe: () => Promise<boolean>;
  readonly now: () => number;
  /** Milliseconds between two probes while the server does not answer. */
  readonly retryMs: number;
}

type Listener = (since: number | null) => void;

/**
 * Whether the server answers this page. One failed request is only a reason to ask again: a slow endpoint is not a
 * server that is down. While it is down, one probe at a time asks whether it is back.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #listeners = new Set<Listener>();
  #since: number | null = null;
  #answeredAt: number;
  #probing = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#answeredAt = options.now();
  }

  /** When the first request that got no answer was sent, Unix milliseconds; null while the server answers. */
  get since(): number | null {
    return this.#since;
  }

  subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** A request was answered. */
  onAnswer(): void {
    this.#answeredAt = this.#options.now();
  }

  /** Asks the server if nothing has asked it for so long: a page that reads nothing must notice, too. */
  check(quietMs: number): void {
    if (this.#options.now() - this.#answeredAt >= quietMs) this.suspect();
  }

  /** @param sentAt when the request that got no answer was sent; left out = now */
  suspect(sentAt = this.#options.now()): void {
    if (this.#probing) return;
    this.#probing = true;
    void this.#probe(sentAt);
  }

  async #probe(sentAt: number): Promise<void> {
    while (!(await this.#options.probe())) {
      if (this.#since === null) this.#set(sentAt);
      await new Promise((resolve) => setTimeout(resolve, this.#options.retryMs));
    }
    this.#probing = false;
    this.onAnswer();
    if (this.#since !== null) this.#set(null);
  }

  #set(since: number | null): void {
    this.#since = since;
    for (const listener of this.#listeners) listener(since);
  }
}

/** Answers of a proxy whose server is away, and of a server whose database is. */
const away = new Set([502, 503, 504]);

export const isAway = (status: number): boolean => away.has(status);

const probeTimeoutMs = 5_000;

/** Any response proves that the server is there, even 401. */
async function probeServer(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(probeTimeoutMs);
    const { status } = await fetch('/api/user/me', { signal, cache: 'no-store' });
    return !isAway(status);
  } catch {
    return false;
  }
}

/** The connection of this page to its server. */
export const connection = new Connection({ probe: probeServer, now: Date.now, retryMs: 2_000 });
