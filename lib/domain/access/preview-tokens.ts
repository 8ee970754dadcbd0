import { daySeconds } from '@/lib/core/units';
import type { Context } from '@/lib/domain/context';
import { digestOf } from './playback-tokens';

/** A dashboard may stay open for days. */
const validSeconds = 7 * daySeconds;
const shape = /^([0-9a-z]{1,9})\.([A-Za-z0-9_-]{12})\.([A-Za-z0-9_-]{22})$/;
const signatureLength = 22;
const purpose = 'preview tokens';

/** Names a member of a team in tokens and gates, without saying who it is. */
export const memberDigest = (userId: string): string => digestOf(`member ${userId}`);

/** Signs playback by a member of the team in the dashboard, which does not count as a viewer. */
export class PreviewTokens {
  readonly #secrets: Context['secrets'];
  readonly #clock: Context['clock'];

  constructor({ secrets, clock }: Pick<Context, 'secrets' | 'clock'>) {
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /**
   * Valid for a week, for this playback id and member only. The same all day, so that a page that is loaded again plays
   * on.
   */
  issue(playbackId: string, userId: string): string {
    const tomorrow = Math.ceil(this.#seconds / daySeconds) * daySeconds;
    const content = `${(tomorrow + validSeconds).toString(36)}.${memberDigest(userId)}`;
    const signature = this.#secrets.sign(purpose, `${playbackId} ${content}`).toString('base64url');
    return `${content}.${signature.slice(0, signatureLength)}`;
  }

  /** Whose token this is: the digest of the member, who may have left since; null if it is forged or has expired. */
  memberOf(playbackId: string, token: string): string | null {
    const [, expires = '', member = '', signature = ''] = shape.exec(token) ?? [];
    if (expires === '' || Number.parseInt(expires, 36) < this.#seconds) return null;
    const content = `${playbackId} ${expires}.${member}`;
    return this.#secrets.verify(purpose, content, signature, signatureLength) ? member : null;
  }

  /** Whether it is a token of someone who was a member, and so is no viewer. */
  valid(playbackId: string, token: string): boolean {
    return this.memberOf(playbackId, token) !== null;
  }

  get #seconds(): number {
    return Math.floor(this.#clock.now().getTime() / 1_000);
  }
}
