import { daySeconds } from '@/lib/core/units';
import type { Context } from '@/lib/domain/context';
import { readSignedToken, signedToken } from '@/lib/infra/signed-token';
import { digestOf } from './playback-tokens';

/** A dashboard page may stay open for days. */
const validSeconds = 7 * daySeconds;
const shape = /^([0-9a-z]{1,9})\.([A-Za-z0-9_-]{12})$/;
const purpose = 'preview tokens';
const signing = (playbackId: string) => ({
  contentOf: (text: string) => `${playbackId} ${text}`,
  length: 22,
});

/** Identifies a team member in tokens and gates without revealing the account. */
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
   * Issues a token that is valid for seven to eight days, for this playback id and member only. The token is the same all
   * day, so that playback continues after a page reload.
   */
  issue(playbackId: string, userId: string): string {
    const tomorrow = Math.ceil(this.#seconds / daySeconds) * daySeconds;
    const text = `${(tomorrow + validSeconds).toString(36)}.${memberDigest(userId)}`;
    return signedToken(this.#secrets, purpose, text, signing(playbackId));
  }

  /** The member digest of a token, whose membership may have ended since; null if the token is forged or expired. */
  memberOf(playbackId: string, token: string): string | null {
    const text = readSignedToken(this.#secrets, purpose, token, signing(playbackId));
    const [, expires, member] = shape.exec(text ?? '') ?? [];
    if (expires === undefined || member === undefined) return null;
    return Number.parseInt(expires, 36) < this.#seconds ? null : member;
  }

  /** Whether the token was issued to a team member, whose playback does not count as a view. */
  valid(playbackId: string, token: string): boolean {
    return this.memberOf(playbackId, token) !== null;
  }

  get #seconds(): number {
    return Math.floor(this.#clock.now().getTime() / 1_000);
  }
}
