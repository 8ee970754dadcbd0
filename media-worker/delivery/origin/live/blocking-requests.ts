import { UpstreamError } from './upstream-error';

interface BlockingLimits {
  /** Maximum number of blocking requests of all streams. */
  readonly maxBlocked?: number;
  readonly maxBlockedPerStream?: number;
}

/** Limits the requests that a server blocks until their content exists. */
export class BlockingRequests {
  readonly #limits: Required<BlockingLimits>;
  /** Number of running requests by playback id. */
  readonly #byStream = new Map<string, number>();
  #total = 0;

  constructor({ maxBlocked = 1_000, maxBlockedPerStream = 200 }: BlockingLimits = {}) {
    this.#limits = { maxBlocked, maxBlockedPerStream };
  }

  /** Runs a blocking request. Rejects with UpstreamError `busy` if there are too many. */
  async run<T>(playbackId: string, fetch: () => Promise<T>): Promise<T> {
    const { maxBlocked, maxBlockedPerStream } = this.#limits;
    const streamCount = this.#byStream.get(playbackId) ?? 0;
    if (this.#total >= maxBlocked || streamCount >= maxBlockedPerStream) throw new UpstreamError('busy');
    this.#count(playbackId, 1);
    try {
      return await fetch();
    } finally {
      this.#count(playbackId, -1);
    }
  }

  #count(playbackId: string, change: 1 | -1): void {
    this.#total += change;
    const streamCount = (this.#byStream.get(playbackId) ?? 0) + change;
    if (streamCount > 0) this.#byStream.set(playbackId, streamCount);
    else this.#byStream.delete(playbackId);
  }
}
