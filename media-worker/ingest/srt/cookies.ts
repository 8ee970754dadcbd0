import { createHmac, randomBytes } from 'node:crypto';

const PERIOD_MS = 60_000;

/** Source address of a datagram. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/**
 * Proves that a caller receives packets at its address, before any state is kept. A returned cookie is recomputed;
 * it is valid for one to two minutes.
 */
export class Cookies {
  readonly #secret = randomBytes(32);
  readonly #now: () => number;

  /** @param now monotonic milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  make(peer: Peer): number {
    return this.#of(peer, this.#period());
  }

  isOwn(cookie: number, peer: Peer): boolean {
    const period = this.#period();
    return cookie === this.#of(peer, period) || cookie === this.#of(peer, period - 1);
  }

  #period(): number {
    return Math.floor(this.#now() / PERIOD_MS);
  }

  #of({ address, port }: Peer, period: number): number {
    const digest = createHmac('sha256', this.#secret).update(`${address} ${port} ${period}`).digest();
    return digest.readUInt32BE(0);
  }
}
