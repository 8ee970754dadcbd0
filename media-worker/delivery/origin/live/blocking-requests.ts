import { UpstreamError } from './upstream-error';

interface BlockingLimits {
  /** Maximum number of blocking requests of all streams. */
  readonly maxBlocked?: number;
  readonly maxBlockedPerStream?: number;
}

/** Limits the requests that a server blocks until their content exists. */
export class BlockingRequests {
  readonly #limits: Required<BlockingLimits>;
  readonly #byStream = new Map<string, number>();
  #total = 0;

  constructor({ maxBlocked = 1_000, maxBlockedPerStream = 200 }: BlockingLimits = {}) {
    this.#limits = { maxBlocked, maxBlockedPerStream };
  }

  /** Runs a blocking request. Rejects with UpstreamError `busy` if there are too many. */
  async run<T>(playbackId: string, fetch: () => Promise<T>): Promise<T> {
    const { maxBlocked, maxBlockedPerStream } = this.#limits;
    const ofStream = this.#byStream.get(playbackId) ?? 0;
    if (this.#total >= maxBlocked || ofStream >= maxBlockedPerStream) throw new UpstreamError('busy');
    this.#count(playbackId, 1);
    try {
      return await fetch();
    } finally {
      this.#count(playbackId, -1);
    }
  }

  #count(playbackId: string, change: 1 | -1): void {
    this.#total += change;
    const ofStream = (this.#byStream.get(playbackId) ?? 0) + change;
    if (ofStream > 0) this.#byStream.set(playbackId, ofStream);
    else this.#byStream.delete(playbackId);
  }
}
