import { DAY_SECONDS } from '@/lib/core/units';
import type { Context } from '@/lib/domain/context';
import { readSignedToken, createSignedToken } from '@/lib/infra/signed-token';
import { digestOf } from './playback-tokens';

/** Lifetime of a token: a dashboard page may stay open for days. */
const LIFETIME_SECONDS = 7 * DAY_SECONDS;
/** Expiry in Unix seconds, in base 36, and the member digest: 9 bytes, which are 12 characters of base64url. */
const contentPattern = /^([0-9a-z]{1,9})\.([A-Za-z0-9_-]{12})$/;
const purpose = 'preview tokens';
/** The signature includes the playback id and is cut to 22 characters of base64url, which are 132 bits. */
const signingOptions = (playbackId: string) => ({
  contentOf: (text: string) => `${playbackId} ${text}`,
  length: 22,
});

/** Identifies a team member in tokens and access rules without revealing the account. */
export const memberDigest = (userId: string): string => digestOf(`member ${userId}`);

/** Issues and reads preview tokens, with which a team member plays in the dashboard without being counted as a viewer. */
export class PreviewTokens {
  readonly #secrets: Context['secrets'];
  readonly #clock: Context['clock'];

  constructor({ secrets, clock }: Pick<Context, 'secrets' | 'clock'>) {
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /**
   * Issues a token that is valid for seven to eight days, for this playback id and member only. The token is the same all
   * day, so that playback continues after a page reload.
   */
  issue(playbackId: string, userId: string): string {
    const nextMidnight = Math.ceil(this.#nowSeconds / DAY_SECONDS) * DAY_SECONDS;
    const text = `${(nextMidnight + LIFETIME_SECONDS).toString(36)}.${memberDigest(userId)}`;
    return createSignedToken(this.#secrets, purpose, text, signingOptions(playbackId));
  }

  /** The member digest of a token; null if the token is forged or expired. The membership may have ended since. */
  readMemberDigest(playbackId: string, token: string): string | null {
    const text = readSignedToken(this.#secrets, purpose, token, signingOptions(playbackId));
    const [, encodedExpiry, digest] = contentPattern.exec(text ?? '') ?? [];
    if (encodedExpiry === undefined || digest === undefined) return null;
    return Number.parseInt(encodedExpiry, 36) < this.#nowSeconds ? null : digest;
  }

  /** Whether the token was issued to a team member, whose playback does not count as a view. */
  isValid(playbackId: string, token: string): boolean {
    return this.readMemberDigest(playbackId, token) !== null;
  }

  /** Unix seconds. */
  get #nowSeconds(): number {
    return Math.floor(this.#clock.now().getTime() / 1_000);
  }
}
