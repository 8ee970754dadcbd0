import { LRUCache } from 'lru-cache';
import type { Context } from '@/lib/domain/context';
import { isOwnOrigin } from '@/lib/core/access/origin';
import {
  type Refusal,
  type RefusalCode,
  countryRefusal,
  missingProof,
  originOf,
  originRefusal,
  ownTokenRefusal,
  pathTokenSeconds,
  refusalOf,
} from '@/lib/core/access/playback-policy';
import type { WebhookGate } from './ask-webhook';
import type { Gate } from './gate';
import {
  PlaybackTokens,
  type PlaybackTokenClaims,
  type TokenSource,
  digestOf,
  digestOfJwt,
  maxAccessKeyBytes,
  randomDigest,
} from './playback-tokens';
import { JwtVerifier } from './verify-jwt';

/** Credentials that a viewer presents; null if absent. */
export interface Proofs {
  /** A token signed by the owner, or one of ours, from `?jwt=` or `Livepeer-Jwt`. */
  readonly jwt: string | null;
  /** Playback token from `?token=`. */
  readonly token: string | null;
  readonly accessKey: string | null;
  /** Digest of the member of whom the dashboard's preview token is; null = without one. */
  readonly member?: string | null;
  /** Headers of the request. */
  readonly origin: string | undefined | null;
  readonly referer: string | undefined | null;
  /** `Sec-Fetch-Site`: our pages send no referrer, and pictures no origin. */
  readonly site?: string | null;
  /** Country of the viewer; undefined if it cannot be determined (`countryRefusal`). */
  readonly country?: string | null | undefined;
}

/** A viewer who may watch. */
export interface Admitted {
  readonly source: TokenSource;
  readonly digest: string;
}

interface AdmissionOptions extends Pick<Context, 'secrets' | 'clock' | 'settings'> {
  /** Absent: access keys are refused without asking a webhook. */
  readonly webhooks?: Pick<WebhookGate, 'admit' | 'goesOn'>;
}

const maxRemembered = 50_000;

/** Decides who may watch, once for each viewer: what follows carries a token in its path. */
export class PlaybackAdmission {
  readonly #options: AdmissionOptions;
  readonly #tokens: PlaybackTokens;
  readonly #jwts = new JwtVerifier();
  /** Tokens in paths whose signature was checked: each segment carries one. */
  readonly #read = new LRUCache<string, PlaybackTokenClaims>({ max: maxRemembered });

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#tokens = new PlaybackTokens(options);
  }

  /** Whether a viewer without a token in the path may watch what is behind a gate that is not open. */
  async admit(gate: Gate, proofs: Proofs): Promise<Admitted | Refusal> {
    // First, so that no viewer enters a password in vain. Tokens of the owner do not skip it: a whole site may have one.
    const member = gate.members.has(proofs.member ?? '') ? proofs.member : null;
    const outside = member ? null : countryRefusal(gate.policy, proofs.country);
    if (outside) return refusalOf(outside);
    const memberProofs = member
      ? { source: { by: 'member' } as const, digest: member }
      : await this.#prove(gate, proofs);
    if (typeof memberProofs === 'string') return refusalOf(memberProofs);
    if (gate.revokedDigests.has(memberProofs.digest)) return refusalOf('revoked');
    const origin = originOf(proofs.origin, proofs.referer);
    const isOwnSite = isOwnPage(origin, proofs.site, this.#options.settings.baseUrl);
    const { by } = memberProofs.source;
    const elsewhere =
      by === 'owner' || by === 'member' ? null : originRefusal(gate.policy, { origin, isOwn: isOwnSite });
    if (elsewhere) return refusalOf(elsewhere);
    if (memberProofs.source.by !== 'webhook') return memberProofs;
    const verdict = await this.#options.webhooks?.admit(gate, memberProofs.source.accessKey);
    if (verdict === 'allow') return memberProofs;
    return refusalOf(verdict === 'deny' ? 'denied' : 'webhook_unreachable');
  }

  /** Token for the path of an admitted viewer's further requests. */
  pathToken(gate: Gate, { source, digest }: Admitted): string {
    const expiresAt = this.#now + pathTokenSeconds;
    return this.#tokens.issue(gate, { ...source, kind: 'path', expiresAt, digest });
  }

  /** Whether who has this token in the path may watch; null: may. */
  refusalOfPath(gate: Gate, token: string): Refusal | null {
    const claims = this.#readPath(gate, token);
    if (claims?.kind !== 'path') return refusalOf('malformed');
    const code = this.#refusal(gate, claims);
    if (code) return refusalOf(code);
    if (claims.by === 'member' && !gate.members.has(claims.digest)) return refusalOf('revoked');
    if (claims.by !== 'webhook' || !this.#options.webhooks) return null;
    return this.#options.webhooks.goesOn(gate, claims.accessKey) ? null : refusalOf('denied');
  }

  async #prove(gate: Gate, { jwt, token, accessKey }: Proofs): Promise<Admitted | RefusalCode> {
    const { type } = gate.policy;
    // Players have one field for a token: ours may be in it.
    for (const presentedToken of [token, jwt]) {
      const claims = presentedToken === null ? null : this.#tokens.read(gate, presentedToken);
      if (claims?.kind !== 'entry') continue;
      return this.#refusal(gate, claims) ?? { source: claims, digest: claims.digest };
    }
    if (type === 'jwt' && jwt !== null) {
      const claims = await this.#jwts.verify(gate, jwt, this.#now);
      if (typeof claims === 'string') return claims;
      return { source: { by: 'jwt', keyId: claims.keyId }, digest: digestOfJwt(jwt) };
    }
    if (token !== null || (type === 'password' && jwt !== null)) return 'malformed';
    if (type === 'webhook' && accessKey !== null && accessKey !== '') {
      if (Buffer.byteLength(accessKey) > maxAccessKeyBytes) return 'access_key_too_long';
      return { source: { by: 'webhook', accessKey }, digest: digestOf(accessKey) };
    }
    return missingProof(gate.policy) ?? { source: { by: 'origin' }, digest: randomDigest() };
  }

  #refusal(gate: Gate, claims: PlaybackTokenClaims): RefusalCode | null {
    const keyId = claims.by === 'jwt' ? { keyId: claims.keyId } : {};
    const { expiresAt, digest } = claims;
    return ownTokenRefusal({ expiresAt, digest, ...keyId }, { ...gate, now: this.#now });
  }

  #readPath(gate: Gate, token: string): PlaybackTokenClaims | null {
    const key = `${gate.id} ${gate.version} ${token}`;
    const pathContent = this.#read.get(key);
    if (pathContent) return pathContent;
    const claims = this.#tokens.read(gate, token);
    if (claims) this.#read.set(key, claims);
    return claims;
  }

  /** Unix seconds. */
  get #now(): number {
    return Math.floor(this.#options.clock.now().getTime() / 1_000);
  }
}

function isOwnPage(origin: string | null, site: string | null | undefined, baseUrl: string): boolean {
  if (origin !== null) return isOwnOrigin(origin, baseUrl);
  return site === 'same-origin' || site === 'same-site';
}
