import { daySeconds } from '@/lib/core/units';
import { originAllowed, parseOrigin } from './origin';

/** Policies that decide who may watch. `public` needs only the playback id. */
export const playbackPolicyTypes = ['public', 'jwt', 'webhook', 'password'] as const;

interface PlaybackPolicy {
  readonly type: (typeof playbackPolicyTypes)[number];
  readonly allowedOrigins?: readonly string[];
  readonly allowedCountries?: readonly string[];
  readonly blockedCountries?: readonly string[];
}

/** Why a viewer is refused, in the order of the checks. */
const refusals = {
  malformed: [403, 'The token cannot be read.'],
  algorithm: [403, 'The token must be signed with ES256.'],
  unknown_key: [403, 'The token was signed with an unknown key.'],
  key_disabled: [403, 'The signing key of the token is disabled.'],
  signature: [403, 'The signature of the token is not valid.'],
  other_action: [403, 'The token is not for playback: its action must be "pull".'],
  other_playback: [403, 'The token is for another playback id.'],
  no_expiry: [403, 'The token never expires: it needs exp.'],
  not_yet_valid: [403, 'The token is not valid yet.'],
  expired: [403, 'The token has expired.'],
  revoked: [403, 'The token was revoked.'],
  token_required: [403, 'A token is required to watch this.'],
  password_required: [403, 'A password is required to watch this.'],
  access_key_required: [403, 'An access key is required to watch this.'],
  access_key_too_long: [403, 'The access key is longer than 512 bytes.'],
  origin: [403, 'This cannot be watched on this site.'],
  country: [403, 'This cannot be watched in your country.'],
  country_unknown: [403, 'This can be watched in some countries only, and yours is not known.'],
  denied: [403, 'The owner does not let you watch this.'],
  webhook_unreachable: [502, 'The owner’s server, which decides who may watch this, does not respond.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type RefusalCode = keyof typeof refusals;

export interface Refusal {
  readonly code: RefusalCode;
  readonly status: number;
  readonly message: string;
}

export function refusalOf(code: RefusalCode): Refusal {
  const [status, message] = refusals[code];
  return { code, status, message };
}

/** Whether the policy restricts viewers by proof, origin or country. */
export function isGated(policy: PlaybackPolicy): boolean {
  return policy.type !== 'public' || !anyOrigin(policy.allowedOrigins ?? []) || hasCountries(policy);
}

/** Whether the policy restricts viewers by country. */
export const hasCountries = ({ allowedCountries = [], blockedCountries = [] }: PlaybackPolicy): boolean =>
  allowedCountries.length + blockedCountries.length > 0;

const anyOrigin = (allowedOrigins: readonly string[]): boolean =>
  allowedOrigins.length === 0 || allowedOrigins.includes('*');

/** Claims of a token with a valid signature. */
export interface SignedClaims {
  readonly sub?: unknown;
  readonly action?: unknown;
  /** Unix seconds. */
  readonly exp?: unknown;
  readonly nbf?: unknown;
}

/** Seconds that the clock of the signer may be ahead. */
const clockSlack = 5;

/** @param id of the object to watch @param now Unix seconds */
export function signedTokenRefusal(claims: SignedClaims, id: string, now: number): RefusalCode | null {
  const { sub, action, exp, nbf } = claims;
  // Livepeer's helper sets the claim; tokens without it are accepted.
  if (action !== undefined && action !== 'pull') return 'other_action';
  if (sub !== id) return 'other_playback';
  if (typeof exp !== 'number') return 'no_expiry';
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + clockSlack)) return 'not_yet_valid';
  return exp > now ? null : 'expired';
}

/** A token issued by this service, with a valid signature. */
interface OwnToken {
  /** Unix seconds. */
  readonly expiresAt: number;
  readonly digest: string;
  /** Id of the signing key of the token. */
  readonly keyId?: string;
}

interface Validity {
  /** Unix seconds. */
  readonly now: number;
  readonly revokedDigests: ReadonlySet<string>;
  readonly keys: readonly { readonly id: string; readonly disabled: boolean }[];
}

/** Refuses a token of this service once its signing key or its source token is revoked. */
export function ownTokenRefusal(
  token: OwnToken,
  { now, revokedDigests, keys }: Validity,
): RefusalCode | null {
  if (token.keyId !== undefined) {
    const key = keys.find(({ id }) => id === token.keyId);
    if (!key) return 'unknown_key';
    if (key.disabled) return 'key_disabled';
  }
  if (revokedDigests.has(token.digest)) return 'revoked';
  return token.expiresAt > now ? null : 'expired';
}

/** Refusal for a viewer who presents no token, access key or password. */
export function missingProof({ type }: PlaybackPolicy): RefusalCode | null {
  if (type === 'public') return null;
  const codes = {
    jwt: 'token_required',
    password: 'password_required',
    webhook: 'access_key_required',
  } as const;
  return codes[type];
}

/**
 * @param origin of the page that plays: the Origin header, or the origin of the Referer; null without both
 * @param isOwn whether it is a page of this service
 */
export function originRefusal(
  { allowedOrigins = [] }: PlaybackPolicy,
  { origin, isOwn }: { readonly origin: string | null; readonly isOwn: boolean },
): RefusalCode | null {
  if (anyOrigin(allowedOrigins) || isOwn) return null;
  return origin !== null && originAllowed(allowedOrigins, origin) ? null : 'origin';
}

/**
 * @param country of the viewer; null if the address belongs to no country; undefined if the address or the location
 * database is missing, in which case a list of blocked countries blocks no viewer
 */
export function countryRefusal(
  policy: PlaybackPolicy,
  country: string | null | undefined,
): RefusalCode | null {
  if (!hasCountries(policy)) return null;
  const { allowedCountries = [], blockedCountries = [] } = policy;
  if (country === undefined) return 'country_unknown';
  if (country === null) return allowedCountries.length > 0 ? 'country_unknown' : null;
  const allowsCountry = allowedCountries.length === 0 || allowedCountries.includes(country);
  return allowsCountry && !blockedCountries.includes(country) ? null : 'country';
}

/** The origin in the headers of a request; null for none. */
export function originOf(
  origin: string | undefined | null,
  referer: string | undefined | null,
): string | null {
  if (origin) return parseOrigin(origin);
  if (!referer) return null;
  const [start = ''] = /^https?:\/\/[^/?#]+/i.exec(referer) ?? [];
  return parseOrigin(start);
}

/** A path after `/hls`, `/recordings` or `/asset`, split into id and token. */
export interface TokenPath {
  /** Playback id, or id of a session. */
  readonly id: string;
  /** Null: the path has no token. */
  readonly token: string | null;
  /** The path without its token. */
  readonly bare: string;
}

/**
 * Splits the token from a path: the segment after the id that starts with a tilde. The folder of a rendition may start
 * with a tilde and two hexadecimal digits, with which no token starts. Nothing is decoded.
 * @returns null for a path that does not start with an id
 */
export function splitToken(path: string): TokenPath | null {
  const end = path.indexOf('/', 1);
  if (end < 2 || path[0] !== '/') return null;
  const id = path.slice(1, end);
  if (path[end + 1] !== '~') return { id, token: null, bare: path };
  const [segment = '', token] = /^~([Q-X][\w-]{39,1023})(?=\/)/.exec(path.slice(end + 1, end + 1_027)) ?? [];
  if (token === undefined) return { id, token: null, bare: path };
  return { id, token, bare: path.slice(0, end) + path.slice(end + 1 + segment.length) };
}

/** The path segment of a token. */
export const tokenSegment = (token: string): string => `~${token}/`;

/** Lifetime of a path token. It only has to outlast one uninterrupted playback. */
export const pathTokenSeconds = daySeconds;
