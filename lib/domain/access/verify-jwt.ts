import { createPublicKey, type KeyObject } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { type ViewerRejectionCode, signedTokenRejection } from '@/lib/core/access/playback-policy';
import type { AccessRules } from './access-rules';
import { digestOf } from './playback-tokens';

/** The key that signed a valid JWT of the owner. */
export interface VerifiedJwt {
  readonly keyId: string;
}

const MAX_JWT_LENGTH = 8_192;
const MAX_CACHED_JWTS = 20_000;
const MAX_CACHED_KEYS = 1_000;

/** Verifies JWTs (ES256) that owners signed, and caches verified signatures. */
export class JwtVerifier {
  /** Verified signatures, by team id and digest of the JWT. */
  readonly #verified = new LRUCache<string, { readonly keyId: string; readonly claims: JWTPayload }>({
    max: MAX_CACHED_JWTS,
  });
  readonly #keys = new LRUCache<string, KeyObject>({ max: MAX_CACHED_KEYS });

  /**
   * Verifies a JWT. The key id comes from the token, and the public key from the rules, never from the token.
   * @param now Unix seconds
   */
  async verify(rules: AccessRules, jwt: string, now: number): Promise<VerifiedJwt | ViewerRejectionCode> {
    const cacheKey = `${rules.teamId} ${digestOf(jwt)}`;
    const verifiedJwt = this.#verified.get(cacheKey) ?? (await this.#checkSignature(rules, jwt));
    if (typeof verifiedJwt === 'string') return verifiedJwt;
    this.#verified.set(cacheKey, verifiedJwt);
    // The key may have been disabled or deleted since the signature was cached.
    const key = rules.keys.find(({ id }) => id === verifiedJwt.keyId);
    if (!key) return 'unknown_key';
    if (key.disabled) return 'key_disabled';
    return signedTokenRejection(verifiedJwt.claims, rules.id, now) ?? { keyId: key.id };
  }

  async #checkSignature(
    rules: AccessRules,
    jwt: string,
  ): Promise<{ readonly keyId: string; readonly claims: JWTPayload } | ViewerRejectionCode> {
    const parsedJwt = jwt.length > MAX_JWT_LENGTH ? null : readJwt(jwt);
    if (!parsedJwt) return 'malformed';
    const { alg, kid, claims } = parsedJwt;
    if (alg !== 'ES256') return 'algorithm';
    // A JWT names its key by id (`kid`) or contains the public key (`pub`), which must be a key of the owner.
    const { pub } = claims;
    const key = rules.keys.find((signingKey) =>
      kid === undefined ? signingKey.publicKey === pub : signingKey.id === kid,
    );
    if (!key || (pub !== undefined && pub !== key.publicKey)) return 'unknown_key';
    if (key.disabled) return 'key_disabled';
    try {
      await compactVerify(jwt, this.#publicKey(key), { algorithms: ['ES256'] });
    } catch {
      return 'signature';
    }
    return { keyId: key.id, claims };
  }

  #publicKey({ id, publicKey }: AccessRules['keys'][number]): KeyObject {
    const cachedKey = this.#keys.get(id);
    if (cachedKey) return cachedKey;
    const key = createPublicKey(Buffer.from(publicKey, 'base64').toString());
    this.#keys.set(id, key);
    return key;
  }
}

function readJwt(
  jwt: string,
): { readonly alg: unknown; readonly kid: unknown; readonly claims: JWTPayload } | null {
  try {
    const { alg, kid } = decodeProtectedHeader(jwt);
    return { alg, kid, claims: decodeJwt(jwt) };
  } catch {
    return null;
  }
}
