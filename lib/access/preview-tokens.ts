import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from '@/lib/context';

const daySeconds = 86_400;
/** A dashboard may stay open for days. */
const validSeconds = 7 * daySeconds;
const shape = /^([0-9a-z]{1,9})\.([A-Za-z0-9_-]{22})$/;
const signatureLength = 22;

/** Signs playback by the owner of a stream or an asset, which does not count as a viewer. */
export class PreviewTokens {
  readonly #key: Buffer;
  readonly #clock: Context['clock'];

  constructor({ secrets, clock }: Pick<Context, 'secrets' | 'clock'>) {
    this.#key = secrets.derive('preview tokens');
    this.#clock = clock;
  }

  /** Valid for a week, for this playback id only. The same all day, so that a page that is loaded again plays on. */
  issue(playbackId: string): string {
    const tomorrow = Math.ceil(this.#seconds / daySeconds) * daySeconds;
    const expires = (tomorrow + validSeconds).toString(36);
    return `${expires}.${this.#sign(playbackId, expires)}`;
  }

  valid(playbackId: string, token: string): boolean {
    const [, expires = '', signature = ''] = shape.exec(token) ?? [];
    if (expires === '' || Number.parseInt(expires, 36) < this.#seconds) return false;
    return timingSafeEqual(Buffer.from(this.#sign(playbackId, expires)), Buffer.from(signature));
  }

  get #seconds(): number {
    return Math.floor(this.#clock.now().getTime() / 1_000);
  }

  #sign(playbackId: string, expires: string): string {
    const signed = createHmac('sha256', this.#key).update(`${playbackId} ${expires}`).digest('base64url');
    return signed.slice(0, signatureLength);
  }
}
