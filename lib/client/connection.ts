interface ConnectionOptions {
  /** Resolves to whether the server responds. The promise never rejects and settles within some seconds. */
  readonly probe: () => Promise<boolean>;
  readonly now: () => number;
  /** Milliseconds between two probes while the server does not respond. */
  readonly retryMs: number;
}

type Listener = (since: number | null) => void;

/**
 * Whether the server responds to this page. A single failed request only triggers a probe, because a slow endpoint is
 * not a dead server. While the server is down, one probe at a time checks whether it is back.
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

  /** When the first unanswered request was sent, in Unix milliseconds; null while the server responds. */
  get since(): number | null {
    return this.#since;
  }

  subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Records that a request was answered. */
  onAnswer(): void {
    this.#answeredAt = this.#options.now();
  }

  /** Probes the server if it received no request for `quietMs`, so that pages without requests notice an outage. */
  check(quietMs: number): void {
    if (this.#options.now() - this.#answeredAt >= quietMs) this.suspect();
  }

  /** @param sentAt when the unanswered request was sent; now by default */
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

/** Statuses of a proxy whose server is down, and of a server whose database is down. */
const unavailableStatuses = new Set([502, 503, 504]);

export const isAway = (status: number): boolean => unavailableStatuses.has(status);

const probeTimeoutMs = 5_000;

/** Any response, even 401, proves that the server is up. */
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
