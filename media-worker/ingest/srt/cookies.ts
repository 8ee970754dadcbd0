import { createHmac, randomBytes } from 'node:crypto';

/** Period after which a caller gets another cookie. */
const COOKIE_PERIOD_MS = 60_000;

/** Source address of a datagram. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/**
 * Cookies with which a caller proves that it receives packets at its address, before the server keeps any state. A
 * returned cookie is computed again for the check, and is valid for one to two minutes.
 */
export class Cookies {
  readonly #secret = randomBytes(32);
  readonly #now: () => number;

  /** @param now returns monotonic milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  create(peer: Peer): number {
    return this.#compute(peer, this.#period());
  }

  isValid(cookie: number, peer: Peer): boolean {
    const period = this.#period();
    return cookie === this.#compute(peer, period) || cookie === this.#compute(peer, period - 1);
  }

  /** Number of the current period. */
  #period(): number {
    return Math.floor(this.#now() / COOKIE_PERIOD_MS);
  }

  #compute({ address, port }: Peer, period: number): number {
    const digest = createHmac('sha256', this.#secret).update(`${address} ${port} ${period}`).digest();
    return digest.readUInt32BE(0);
  }
}
