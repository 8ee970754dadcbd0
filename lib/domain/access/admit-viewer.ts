import { LRUCache } from 'lru-cache';
import type { Context } from '@/lib/domain/context';
import { isOwnOrigin } from '@/lib/core/access/origin';
import {
  type ViewerRejection,
  type ViewerRejectionCode,
  countryRejection,
  missingProofRejection,
  originOf,
  originRejection,
  ownTokenRejection,
  PATH_TOKEN_SECONDS,
  viewerRejection,
} from '@/lib/core/access/playback-policy';
import type { WebhookAdmission } from './ask-webhook';
import type { AccessRules } from './access-rules';
import {
  PlaybackTokens,
  type PlaybackTokenClaims,
  type TokenSource,
  digestOf,
  digestOfJwt,
  MAX_ACCESS_KEY_BYTES,
  createRandomDigest,
} from './playback-tokens';
import { JwtVerifier } from './verify-jwt';

/** Credentials that a viewer presents; null if absent. */
export interface ViewerCredentials {
  /** Token signed by the owner or by this service, from `?jwt=` or `Livepeer-Jwt`. */
  readonly jwt: string | null;
  /** Playback token from `?token=`. */
  readonly token: string | null;
  readonly accessKey: string | null;
  /** Digest of the team member in the preview token of the dashboard; null without such a token. */
  readonly memberDigest?: string | null;
  /** Request headers that name the site of the player. */
  readonly origin: string | undefined | null;
  readonly referer: string | undefined | null;
  /**
   * `Sec-Fetch-Site` header. It is the only header that tells that a page of this service requests an image: the page sends
   * no `Referer`, and image requests have no `Origin`.
   */
  readonly secFetchSite?: string | null;
  /** Country of the viewer; undefined if it cannot be determined (`countryRejection`). */
  readonly country?: string | null | undefined;
}

/** A viewer who may watch. */
export interface AdmittedViewer {
  readonly source: TokenSource;
  /** Digest of the presented credential (`PlaybackTokenClaims`); random if the policy requires none. */
  readonly digest: string;
}

interface AdmissionOptions extends Pick<Context, 'secrets' | 'clock' | 'settings'> {
  /** Access-control webhooks; absent on nodes that reject access keys without asking. */
  readonly webhooks?: Pick<WebhookAdmission, 'admit' | 'mayContinue'>;
}

const MAX_CACHED_TOKENS = 50_000;

/** Decides who may watch, once per viewer: later requests carry a token in their path. */
export class PlaybackAdmission {
  readonly #options: AdmissionOptions;
  readonly #tokens: PlaybackTokens;
  readonly #jwts = new JwtVerifier();
  /** Claims of path tokens. Each segment request carries a path token, so its signature is verified once. */
  readonly #cachedClaims = new LRUCache<string, PlaybackTokenClaims>({ max: MAX_CACHED_TOKENS });

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#tokens = new PlaybackTokens(options);
  }

  /** Admits or rejects a viewer who has no token in the path. */
  async admit(rules: AccessRules, credentials: ViewerCredentials): Promise<AdmittedViewer | ViewerRejection> {
    // Team members may watch from any country and site.
    const memberDigest = rules.memberDigests.has(credentials.memberDigest ?? '')
      ? credentials.memberDigest
      : null;
    // The country is checked first, so that a rejected viewer is not asked for a password. It is also checked for owner
    // tokens, because one token may serve a whole site.
    const countryRejectionCode = memberDigest ? null : countryRejection(rules.policy, credentials.country);
    if (countryRejectionCode) return viewerRejection(countryRejectionCode);
    const admission = memberDigest
      ? { source: { by: 'member' } as const, digest: memberDigest }
      : await this.#authenticate(rules, credentials);
    if (typeof admission === 'string') return viewerRejection(admission);
    if (rules.revokedDigests.has(admission.digest)) return viewerRejection('revoked');
    const origin = originOf(credentials.origin, credentials.referer);
    const isOwnSite = isOwnPage(origin, credentials.secFetchSite, this.#options.settings.baseUrl);
    const { by } = admission.source;
    const originRejectionCode =
      by === 'owner' || by === 'member' ? null : originRejection(rules.policy, { origin, isOwn: isOwnSite });
    if (originRejectionCode) return viewerRejection(originRejectionCode);
    if (admission.source.by !== 'webhook') return admission;
    const verdict = await this.#options.webhooks?.admit(rules, admission.source.accessKey);
    if (verdict === 'allow') return admission;
    return viewerRejection(verdict === 'deny' ? 'denied' : 'webhook_unreachable');
  }

  /** Token for the path of an admitted viewer's further requests. */
  issuePathToken(rules: AccessRules, { source, digest }: AdmittedViewer): string {
    const expiresAt = this.#now + PATH_TOKEN_SECONDS;
    return this.#tokens.issue(rules, { ...source, kind: 'path', expiresAt, digest });
  }

  /** The rejection of a token in the path; null if its holder may watch. */
  checkPathToken(rules: AccessRules, token: string): ViewerRejection | null {
    const claims = this.#readPathToken(rules, token);
    if (claims?.kind !== 'path') return viewerRejection('malformed');
    const code = this.#rejectionOfClaims(rules, claims);
    if (code) return viewerRejection(code);
    if (claims.by === 'member' && !rules.memberDigests.has(claims.digest)) return viewerRejection('revoked');
    if (claims.by !== 'webhook' || !this.#options.webhooks) return null;
    return this.#options.webhooks.mayContinue(rules, claims.accessKey) ? null : viewerRejection('denied');
  }

  async #authenticate(
    rules: AccessRules,
    { jwt, token, accessKey }: ViewerCredentials,
  ): Promise<AdmittedViewer | ViewerRejectionCode> {
    const { type } = rules.policy;
    // Players have one field for a token, so `jwt` may hold a token of this service.
    for (const presentedToken of [token, jwt]) {
      const claims = presentedToken === null ? null : this.#tokens.read(rules, presentedToken);
      if (claims?.kind !== 'entry') continue;
      return this.#rejectionOfClaims(rules, claims) ?? { source: claims, digest: claims.digest };
    }
    if (type === 'jwt' && jwt !== null) {
      const claims = await this.#jwts.verify(rules, jwt, this.#now);
      if (typeof claims === 'string') return claims;
      return { source: { by: 'jwt', keyId: claims.keyId }, digest: digestOfJwt(jwt) };
    }
    if (token !== null || (type === 'password' && jwt !== null)) return 'malformed';
    if (type === 'webhook' && accessKey !== null && accessKey !== '') {
      if (Buffer.byteLength(accessKey) > MAX_ACCESS_KEY_BYTES) return 'access_key_too_long';
      return { source: { by: 'webhook', accessKey }, digest: digestOf(accessKey) };
    }
    return missingProofRejection(rules.policy) ?? { source: { by: 'origin' }, digest: createRandomDigest() };
  }

  /** Why a token with a valid signature is rejected: it expired, or its source or signing key was revoked. Null if valid. */
  #rejectionOfClaims(rules: AccessRules, claims: PlaybackTokenClaims): ViewerRejectionCode | null {
    const keyId = claims.by === 'jwt' ? { keyId: claims.keyId } : {};
    const { expiresAt, digest } = claims;
    return ownTokenRejection({ expiresAt, digest, ...keyId }, { ...rules, now: this.#now });
  }

  #readPathToken(rules: AccessRules, token: string): PlaybackTokenClaims | null {
    const key = `${rules.id} ${rules.version} ${token}`;
    const cachedClaims = this.#cachedClaims.get(key);
    if (cachedClaims) return cachedClaims;
    const claims = this.#tokens.read(rules, token);
    if (claims) this.#cachedClaims.set(key, claims);
    return claims;
  }

  /** Unix seconds. */
  get #now(): number {
    return Math.floor(this.#options.clock.now().getTime() / 1_000);
  }
}

/** Whether the player is on a page of this service. */
function isOwnPage(origin: string | null, secFetchSite: string | null | undefined, baseUrl: string): boolean {
  if (origin !== null) return isOwnOrigin(origin, baseUrl);
  return secFetchSite === 'same-origin' || secFetchSite === 'same-site';
}
