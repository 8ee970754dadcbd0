interface ConnectionOptions {
  /** Resolves to whether the server responds. The promise never rejects and settles within some seconds. */
  readonly probe: () => Promise<boolean>;
  /** Current Unix time in milliseconds. */
  readonly now: () => number;
  /** Milliseconds between two probes while the server does not respond. */
  readonly probeIntervalMs: number;
}

type Listener = (downSince: number | null) => void;

/**
 * Knows whether the server responds to this page. A single failed request only triggers a probe, because a slow endpoint
 * is not a dead server. While the server is down, one probe at a time checks whether it is back.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #listeners = new Set<Listener>();
  #downSince: number | null = null;
  #respondedAt: number;
  #isProbing = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#respondedAt = options.now();
  }

  /** When the request was sent whose failure started the outage, in Unix milliseconds; null while the server responds. */
  get downSince(): number | null {
    return this.#downSince;
  }

  subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Records that the server responded to a request. */
  recordResponse(): void {
    this.#respondedAt = this.#options.now();
  }

  /** Probes the server if it has not responded for `quietMs`, so that pages that send no requests notice an outage. */
  probeIfQuiet(quietMs: number): void {
    if (this.#options.now() - this.#respondedAt >= quietMs) this.suspectOutage();
  }

  /**
   * Probes the server after a request without a response.
   * @param sentAt when that request was sent, in Unix milliseconds; now by default
   */
  suspectOutage(sentAt = this.#options.now()): void {
    if (this.#isProbing) return;
    this.#isProbing = true;
    void this.#probe(sentAt);
  }

  /** Probes the server until it responds. */
  async #probe(sentAt: number): Promise<void> {
    while (!(await this.#options.probe())) {
      if (this.#downSince === null) this.#setDownSince(sentAt);
      await new Promise((resolve) => setTimeout(resolve, this.#options.probeIntervalMs));
    }
    this.#isProbing = false;
    this.recordResponse();
    if (this.#downSince !== null) this.#setDownSince(null);
  }

  #setDownSince(downSince: number | null): void {
    this.#downSince = downSince;
    for (const listener of this.#listeners) listener(downSince);
  }
}

/** Statuses of a proxy whose server is down, and of a server whose database is down. */
const unavailableStatuses = new Set([502, 503, 504]);

export const isUnavailableStatus = (status: number): boolean => unavailableStatuses.has(status);

const PROBE_TIMEOUT_MS = 5_000;

/** Any response, even 401, proves that the server is up. */
async function probeServer(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const { status } = await fetch('/api/user/me', { signal, cache: 'no-store' });
    return !isUnavailableStatus(status);
  } catch {
    return false;
  }
}

/** The connection of this page to its server. */
export const connection = new Connection({ probe: probeServer, now: Date.now, probeIntervalMs: 2_000 });
