interface ReachabilityOptions {
  /** Resolves to whether the server responds. The promise never rejects and settles within some seconds. */
  readonly probe: () => Promise<boolean>;
  /** Current Unix time in milliseconds. */
  readonly now: () => number;
  /** Milliseconds between two probes while the server does not respond. */
  readonly probeIntervalMs: number;
}

type Listener = (unreachableSince: number | null) => void;

/**
 * Knows whether the server responds to this page. A single failed request only triggers a probe, because a slow endpoint
 * is not an unreachable server. While the server is unreachable, one probe at a time checks whether it responds again.
 */
export class ServerReachability {
  readonly #options: ReachabilityOptions;
  readonly #listeners = new Set<Listener>();
  #unreachableSince: number | null = null;
  #respondedAt: number;
  #isProbing = false;

  constructor(options: ReachabilityOptions) {
    this.#options = options;
    this.#respondedAt = options.now();
  }

  /** When the first request was sent that got no response, in Unix milliseconds; null while the server responds. */
  get unreachableSince(): number | null {
    return this.#unreachableSince;
  }

  subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Records that the server responded to a request. */
  recordResponse(): void {
    this.#respondedAt = this.#options.now();
  }

  /** Probes the server if it has not responded for `silenceMs`. Pages that send no requests need this to notice its absence. */
  probeIfSilentFor(silenceMs: number): void {
    if (this.#options.now() - this.#respondedAt >= silenceMs) this.probeNow();
  }

  /**
   * Starts probing the server until it responds, unless that has started.
   * @param sentAt when a request was sent that got no response, in Unix milliseconds; now by default
   */
  probeNow(sentAt = this.#options.now()): void {
    if (this.#isProbing) return;
    this.#isProbing = true;
    void this.#probe(sentAt);
  }

  /** Probes the server until it responds. */
  async #probe(sentAt: number): Promise<void> {
    while (!(await this.#options.probe())) {
      if (this.#unreachableSince === null) this.#setUnreachableSince(sentAt);
      await new Promise((resolve) => setTimeout(resolve, this.#options.probeIntervalMs));
    }
    this.#isProbing = false;
    this.recordResponse();
    if (this.#unreachableSince !== null) this.#setUnreachableSince(null);
  }

  #setUnreachableSince(unreachableSince: number | null): void {
    this.#unreachableSince = unreachableSince;
    for (const listener of this.#listeners) listener(unreachableSince);
  }
}

/** Statuses of a proxy whose server is down, and of a server whose database is down. */
const unavailableStatuses = new Set([502, 503, 504]);

export const isUnavailableStatus = (status: number): boolean => unavailableStatuses.has(status);

const PROBE_TIMEOUT_MS = 5_000;

/** Any response, even 401, proves that the server is reachable. */
async function probeServer(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const { status } = await fetch('/api/user/me', { signal, cache: 'no-store' });
    return !isUnavailableStatus(status);
  } catch {
    return false;
  }
}

/** Whether the server of this page responds. */
export const serverReachability = new ServerReachability({
  probe: probeServer,
  now: Date.now,
  probeIntervalMs: 2_000,
});
