import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Name of the parameter that carries it. */
const parameter = 'viewer';

const randomLength = 12;
const signedLength = 8;
const shape = /^[A-Za-z0-9_-]{20}$/;
const inQuery = new RegExp(`[?&]${parameter}=([A-Za-z0-9_-]{20})(?:&|$)`);

/**
 * Names one playback: who loads the master playlist gets a token that comes back with every media playlist. It is
 * random, says nothing about the viewer, and cannot be made up.
 */
export class ViewerTokens {
  readonly #key: Buffer;

  /** @param key the same for all origins */
  constructor(key: Buffer) {
    this.#key = key;
  }

  issue(playbackId: string): string {
    const random = randomBytes((randomLength * 3) / 4).toString('base64url');
    return random + this.#sign(playbackId, random);
  }

  valid(playbackId: string, token: string): boolean {
    if (!shape.test(token)) return false;
    const signed = Buffer.from(this.#sign(playbackId, token.slice(0, randomLength)));
    return timingSafeEqual(signed, Buffer.from(token.slice(randomLength)));
  }

  #sign(playbackId: string, random: string): string {
    const signed = createHmac('sha256', this.#key).update(`${playbackId} ${random}`).digest('base64url');
    return signed.slice(0, signedLength);
  }
}

/** A master playlist whose media playlists carry the token. */
export function withViewer(master: string, token: string): string {
  return master.replace(
    /^[^#\s].*$/gm,
    (uri) => `${uri}${uri.includes('?') ? '&' : '?'}${parameter}=${token}`,
  );
}

/** What looks like a token in a request target; null where there is none. */
export const tokenIn = (target: string): string | null => inQuery.exec(target)?.[1] ?? null;
